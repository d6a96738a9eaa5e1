import manifest from "kafkajs/package.json" with { type: "json" };
import metadata from "kafkajs/src/protocol/requests/metadata/index.js";
import { type TopicMetadataCache, topicMetadataCache } from "../topics/topic-metadata-cache.ts";
import { metadataRequest, readMetadataAnswer, TOPIC_ID_VERSION } from "../wire/metadata-answer.ts";

const REPAIRED_VERSION = "2.2.4";
/** The newest version of the answer that kafkajs reads itself. */
const OWN_VERSION = 6;
const UNKNOWN_TOPIC_OR_PARTITION = 3;
const protocol = metadata.protocol;

/**
 * Has kafkajs ask for topics by the version that tells their ids, which it does not know, and lets an answer about several
 * topics leave out those that are not there. kafkajs gives the whole answer up for one of them, and with it every other
 * topic of a consumer. An answer about one topic alone stays an error.
 *
 * @throws when kafkajs is another version: then see whether it still needs this.
 */
export function repairMetadata(version = manifest.version, seen: TopicMetadataCache = topicMetadataCache): void {
  if (version !== REPAIRED_VERSION) {
    throw new Error(`kafkajs is ${version}, and its metadata is repaired for ${REPAIRED_VERSION} only`);
  }
  const name = String(TOPIC_ID_VERSION);
  if (!metadata.versions.includes(name)) metadata.versions.push(name);
  const { response } = protocol({ version: OWN_VERSION })({ topics: [] });
  const parse = async (answer: metadata.MetadataAnswer) => {
    tell(seen, answer);
    const isOne = answer.topicMetadata.length === 1;
    const there = answer.topicMetadata.filter((topic) => isOne || topic.topicErrorCode !== UNKNOWN_TOPIC_OR_PARTITION);
    await response.parse({ ...answer, topicMetadata: there });
    return answer;
  };
  metadata.protocol = (asked) => (params) => {
    if (asked.version === TOPIC_ID_VERSION) {
      return { request: metadataRequest(params), response: { decode: readMetadataAnswer, parse } };
    }
    // kafkajs takes the newest version that a broker has, and there are some between its own and the one that is added.
    const made = protocol({ version: Math.min(asked.version, OWN_VERSION) })(params);
    return { ...made, response: { decode: made.response.decode, parse } };
  };
}

function tell(seen: TopicMetadataCache, { topicMetadata }: metadata.MetadataAnswer): void {
  for (const { topic, topicErrorCode, topicId } of topicMetadata) {
    if (topicErrorCode === UNKNOWN_TOPIC_OR_PARTITION) seen.told(topic, { isMissing: true });
    else if (topicErrorCode === 0) seen.told(topic, { id: topicId, isMissing: false });
  }
}
