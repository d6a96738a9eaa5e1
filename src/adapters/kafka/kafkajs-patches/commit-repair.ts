import kafkajs from "kafkajs";
import manifest from "kafkajs/package.json" with { type: "json" };
import Runner from "kafkajs/src/consumer/runner.js";
import { protocolErrorOf } from "../topics/topic-facts.ts";

const REPAIRED_VERSION = "2.2.4";
const commitOffsets = Runner.prototype.commitOffsets;

/**
 * A commit in a topic that was deleted is refused at once: no try makes it another. The brokers took what it said of other
 * topics, whose next commits must not wait for half a minute of tries.
 */
function refuseUnknown(thrown: unknown): never {
  if (protocolErrorOf(thrown) !== "UNKNOWN_TOPIC_OR_PARTITION") throw thrown;
  throw new kafkajs.KafkaJSNonRetriableError("a topic of the commit is not there");
}

/**
 * kafkajs tries a commit again for half a minute, each time as the member that it is by then. A commit that outlives its
 * generation would be taken under the next one, for partitions that are others' meanwhile, and put them back. Here it is
 * given up then: the member that has a partition now commits it anew.
 *
 * @throws when kafkajs is another version: then see whether it still needs this.
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
    // The tries see this runner as it is at the time, but for the group that they commit in.
    const group: unknown = Object.create(consumerGroup, { commitOffsets: { value: inOneGeneration } });
    return commitOffsets.call(Object.create(this, { consumerGroup: { value: group } }), offsets);
  };
}
