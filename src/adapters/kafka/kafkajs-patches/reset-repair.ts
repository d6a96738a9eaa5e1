import manifest from "kafkajs/package.json" with { type: "json" };
import OffsetManager from "kafkajs/src/consumer/offsetManager/index.js";

const REPAIRED_VERSION = "2.2.4";

/**
 * Where a place is out of range, kafkajs commits "the first record" in the place of what the group had committed, and reads
 * there. A generation that begins before the next commit would read the whole topic again. Here kafkajs only reads there, so
 * that the reader sees that its place is none, and finds the place itself.
 *
 * @throws when kafkajs is another version: then see whether it still needs this.
 */
export function repairReset(version = manifest.version): void {
  if (version !== REPAIRED_VERSION) {
    throw new Error(`kafkajs is ${version}, and its resets are repaired for ${REPAIRED_VERSION} only`);
  }
  OffsetManager.prototype.setDefaultOffset = async function (this: OffsetManager, { topic, partition }) {
    const wanted = { topic, partitions: [{ partition }], fromBeginning: true };
    const [found] = await this.cluster.fetchTopicsOffset([wanted]);
    const first = found?.partitions.find((each) => each.partition === partition)?.offset;
    this.clearOffsets({ topic, partition });
    const offsets = this.committedOffsets()[topic];
    if (offsets !== undefined && first !== undefined) offsets[partition] = first;
  };
}
