import manifest from "kafkajs/package.json" with { type: "json" };
import OffsetManager from "kafkajs/src/consumer/offsetManager/index.js";

const REPAIRED_VERSION = "2.2.4";

/**
 * For a position out of range, kafkajs commits "the first record" over the group's commit, and reads there. A
 * generation that begins before the next commit would read the whole topic again. With this patch kafkajs only reads
 * there. The consumer then notices the invalid position, and looks up the right one itself.
 *
 * @throws when kafkajs has another version: check then whether that version still needs this.
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
