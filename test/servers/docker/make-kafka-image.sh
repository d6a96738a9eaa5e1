#!/usr/bin/env bash
# Makes a Kafka image that testcontainers' KafkaContainer can start, where images cannot be pulled. Run it by hand, as
# root, on Debian, with docker and debootstrap (apt-get install docker.io debootstrap iptables) and a running dockerd:
#
#   test/servers/docker/make-kafka-image.sh [tag]
#
# The default tag is the one that the tests use. KAFKA_IMAGE names another image, with a version after the colon. The
# jars are those that `npm test` has downloaded. In a container, or without the reaper image of testcontainers, run the
# tests with TESTCONTAINERS_RYUK_DISABLED=true and TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tag=${1:-confluentinc/cp-kafka:8.1.0}
jars=${XDG_CACHE_HOME:-$HOME/.cache}/weir/kafka-4.1.2

[ -d "$jars" ] || { echo "no jars in $jars: run 'npx vitest run --project kafka' first, with java and mvn" >&2; exit 1; }
for tool in docker debootstrap; do
  command -v "$tool" > /dev/null || { echo "no $tool: apt-get install docker.io debootstrap iptables" >&2; exit 1; }
done

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

debootstrap --variant=minbase --include=openjdk-17-jre-headless bookworm "$work/root" > "$work/log" 2>&1 ||
  { tail -20 "$work/log" >&2; exit 1; }
rm -rf "$work/root/var/cache/apt" "$work/root/var/lib/apt/lists"
mkdir -p "$work/root/opt/kafka" "$work/root/etc/confluent/docker"
cp "$jars"/*.jar "$work/root/opt/kafka/"
install -m 755 "$here/run-kafka.sh" "$work/root/etc/confluent/docker/run"
tar -C "$work/root" -c . | docker import - "$tag"
echo "made $tag"
