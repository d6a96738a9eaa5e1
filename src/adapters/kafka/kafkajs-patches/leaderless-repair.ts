import manifest from "kafkajs/package.json" with { type: "json" };
import BrokerPool from "kafkajs/src/cluster/brokerPool.js";
import Cluster from "kafkajs/src/cluster/index.js";

const REPAIRED_VERSION = "2.2.4";
/** Leader id in the answers of brokers for a partition without a leader. */
export const NO_LEADER = -1;
/** An unknown offset. kafkajs looks up such an offset again before it fetches. */
const NO_OFFSET = "-1";
/** Chosen: an election takes a second or two, and each look takes one answer about the topics. */
const LOOK_AGAIN_MS = 2_000;
const { fetchTopicsOffset } = Cluster.prototype;
const { refreshMetadata } = BrokerPool.prototype;

/**
 * Makes kafkajs go on where the metadata has partitions without a leader. It requests no offsets of these partitions,
 * which stay unknown, and requests the metadata again soon. A fetch already skips such partitions.
 *
 * @throws when kafkajs has another version: check then whether that version still needs this.
 */
export function repairLeaderless(version = manifest.version): void {
  if (version !== REPAIRED_VERSION) {
    throw new Error(`kafkajs is ${version}, and partitions without a leader are left out for ${REPAIRED_VERSION} only`);
  }
  Cluster.prototype.fetchTopicsOffset = async function (this: Cluster, topics) {
    const isLed = (topic: string, partition: number) => leaderOf(this, topic, partition) !== NO_LEADER;
    const led = topics.map((each) => ({
      ...each,
      partitions: each.partitions.filter(({ partition }) => isLed(each.topic, partition)),
    }));
    const found = await fetchTopicsOffset.call(
      this,
      led.filter(({ partitions }) => partitions.length > 0),
    );
    return topics.map(({ topic, partitions }) => {
      const known = found.find((each) => each.topic === topic)?.partitions ?? [];
      const unknown = partitions.filter(({ partition }) => !isLed(topic, partition));
      return { topic, partitions: [...known, ...unknown.map(({ partition }) => ({ partition, offset: NO_OFFSET }))] };
    });
  };
  BrokerPool.prototype.refreshMetadata = async function (this: BrokerPool, topics) {
    await refreshMetadata.call(this, topics);
    const partitions = this.metadata?.topicMetadata.flatMap((topic) => topic.partitionMetadata) ?? [];
    if (this.metadataExpireAt === null || partitions.every(({ leader }) => leader !== NO_LEADER)) return;
    this.metadataExpireAt += Math.min(0, LOOK_AGAIN_MS - this.metadataMaxAge);
  };
}

function leaderOf(cluster: Cluster, topic: string, partition: number): number | undefined {
  return cluster.findTopicPartitionMetadata(topic).find(({ partitionId }) => partitionId === partition)?.leader;
}
