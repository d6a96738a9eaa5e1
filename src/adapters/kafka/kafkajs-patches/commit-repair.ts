import kafkajs from "kafkajs";
import manifest from "kafkajs/package.json" with { type: "json" };
import Runner from "kafkajs/src/consumer/runner.js";
import { protocolErrorOf } from "../topics/topic-facts.ts";

const REPAIRED_VERSION = "2.2.4";
const commitOffsets = Runner.prototype.commitOffsets;

/**
 * A commit for a deleted topic is refused at once: a retry cannot change it. The brokers accepted the offsets of other
 * topics. The next commits of those topics must not wait for half a minute of retries.
 */
function refuseUnknown(thrown: unknown): never {
  if (protocolErrorOf(thrown) !== "UNKNOWN_TOPIC_OR_PARTITION") throw thrown;
  throw new kafkajs.KafkaJSNonRetriableError("a topic of the commit is not there");
}

/**
 * kafkajs retries a commit for half a minute, each time as the current member. A commit that outlives its generation
 * would be accepted under the next one. It would set back partitions that other members own by then. Here such a commit
 * is given up; the member that owns a partition commits it again.
 *
 * @throws when kafkajs has another version: check then whether that version still needs this.
 */
export function repairCommits(version = manifest.version): void {
  if (version !== REPAIRED_VERSION) {
    throw new Error(`kafkajs is ${version}, and its commits are repaired for ${REPAIRED_VERSION} only`);
  }
  Runner.prototype.commitOffsets = function (this: Runner, offsets) {
    const { consumerGroup } = this;
    const { offsetManager } = consumerGroup;
    const inOneGeneration: typeof commitOffsets = async (wanted) => {
      if (consumerGroup.offsetManager === offsetManager)
        return consumerGroup.commitOffsets(wanted).catch(refuseUnknown);
      throw new kafkajs.KafkaJSNonRetriableError("the generation of the group that the commit belongs to is over");
    };
    // The retries use this runner's current state, except for the group that they commit in.
    const group: unknown = Object.create(consumerGroup, { commitOffsets: { value: inOneGeneration } });
    return commitOffsets.call(Object.create(this, { consumerGroup: { value: group } }), offsets);
  };
}
