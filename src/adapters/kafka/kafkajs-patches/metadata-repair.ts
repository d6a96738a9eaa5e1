import manifest from "kafkajs/package.json" with { type: "json" };
import metadata from "kafkajs/src/protocol/requests/metadata/index.js";
import { type LeaderTracker, leaderTracker } from "../topics/leader-tracker.ts";
import { type TopicMetadataCache, topicMetadataCache } from "../topics/topic-metadata-cache.ts";
import { metadataRequest, readMetadataAnswer, TOPIC_ID_VERSION } from "../wire/metadata-answer.ts";
import { NO_LEADER } from "./leaderless-repair.ts";

const REPAIRED_VERSION = "2.2.4";
/** The newest version of the answer that the decoder of kafkajs supports. */
const OWN_VERSION = 6;
const UNKNOWN_TOPIC_OR_PARTITION = 3;
/**
 * Error codes of a partition without a leader, and of a partition with a leader that has no address for this client.
 */
const leaderless: ReadonlySet<number> = new Set([5, 72]);
const protocol = metadata.protocol;

/**
 * Makes kafkajs request topics by the version with topic ids, which kafkajs does not support. An answer about several
 * topics may leave out missing topics. kafkajs itself rejects the whole answer for one missing topic, and with it every
 * other topic of a consumer. An answer about one missing topic alone stays an error. A partition without a leader is
 * marked, and is no error of its topic or of any other.
 *
 * @throws when kafkajs has another version: check then whether that version still needs this.
 */
export function repairMetadata(
  version = manifest.version,
  seen: TopicMetadataCache = topicMetadataCache,
  leaders: LeaderTracker = leaderTracker,
): void {
  if (version !== REPAIRED_VERSION) {
    throw new Error(`kafkajs is ${version}, and its metadata is repaired for ${REPAIRED_VERSION} only`);
  }
  const name = String(TOPIC_ID_VERSION);
  if (!metadata.versions.includes(name)) metadata.versions.push(name);
  const { response } = protocol({ version: OWN_VERSION })({ topics: [] });
  const parse = async (told: metadata.MetadataAnswer) => {
    tell(seen, told);
    const answer = withLeaderless(told);
    const isOne = answer.topicMetadata.length === 1;
    const there = answer.topicMetadata.filter((topic) => isOne || topic.topicErrorCode !== UNKNOWN_TOPIC_OR_PARTITION);
    await response.parse({ ...answer, topicMetadata: there });
    for (const { topic, partitionMetadata } of there) {
      const without = partitionMetadata.filter(({ leader }) => leader === NO_LEADER);
      leaders.told(
        topic,
        without.map(({ partitionId }) => partitionId),
      );
    }
    return answer;
  };
  metadata.protocol = (asked) => (params) => {
    if (asked.version === TOPIC_ID_VERSION) {
      return { request: metadataRequest(params), response: { decode: readMetadataAnswer, parse } };
    }
    // kafkajs selects the newest version that a broker supports. There are versions between its own newest and the
    // added one.
    const made = protocol({ version: Math.min(asked.version, OWN_VERSION) })(params);
    return { ...made, response: { decode: made.response.decode, parse } };
  };
}

/** The answer with partitions without a leader as marked partitions, in place of an error. */
function withLeaderless<A extends metadata.MetadataAnswer>(answer: A): A {
  const isWithout = ({ partitionErrorCode }: metadata.PartitionMetadata) => leaderless.has(partitionErrorCode);
  if (!answer.topicMetadata.some(({ partitionMetadata }) => partitionMetadata.some(isWithout))) return answer;
  const topicMetadata = answer.topicMetadata.map((topic) => ({
    ...topic,
    partitionMetadata: topic.partitionMetadata.map((each) =>
      isWithout(each) ? { ...each, partitionErrorCode: 0, leader: NO_LEADER } : each,
    ),
  }));
  return { ...answer, topicMetadata };
}

function tell(seen: TopicMetadataCache, { topicMetadata }: metadata.MetadataAnswer): void {
  for (const { topic, topicErrorCode, topicId } of topicMetadata) {
    if (topicErrorCode === UNKNOWN_TOPIC_OR_PARTITION) seen.told(topic, { isMissing: true });
    else if (topicErrorCode === 0) seen.told(topic, { id: topicId, isMissing: false });
  }
}
