#!/bin/bash
# Starts Kafka as the environment says, by the rule of the image it stands in for: KAFKA_A_B=x is a.b=x, two underscores
# are one, three are a hyphen. Lies in the image as /etc/confluent/docker/run.
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
