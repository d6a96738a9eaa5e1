#!/bin/bash
# Starts Kafka with the settings of the environment, by the rule of the original image: KAFKA_A_B=x means a.b=x, two
# underscores mean one, and three mean a hyphen. Its path in the image is /etc/confluent/docker/run.
set -euo pipefail

properties=/tmp/server.properties
echo "log.dirs=/var/lib/kafka" > "$properties"
env | grep '^KAFKA_' | while IFS= read -r line; do
  name=${line%%=*}
  name=${name#KAFKA_}
  name=${name//___/-}
  name=${name//__/%}
  name=${name//_/.}
  name=${name//%/_}
  echo "${name,,}=${line#*=}" >> "$properties"
done

java -XX:TieredStopAtLevel=1 -cp '/opt/kafka/*' kafka.tools.StorageTool format --ignore-formatted -t "$CLUSTER_ID" -c "$properties"
exec java -Xmx256m -XX:+UseSerialGC -cp '/opt/kafka/*' kafka.Kafka "$properties"
