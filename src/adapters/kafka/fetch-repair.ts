import manifest from "kafkajs/package.json" with { type: "json" };
import fetchResponse from "kafkajs/src/protocol/requests/fetch/v11/response.js";
import { hideAborted } from "./aborted-records.ts";
import { BatchUnreadableError } from "./batch-unreadable-error.ts";
import { type BatchPlace, findCrowded, findUnreadable } from "./find-unreadable.ts";

const REPAIRED_VERSION = "2.2.4";
/** kafkajs gives all records of a batch to one call, and some 120,000 are more than a call takes. No producer fills so many. */
const MAX_RECORDS_A_BATCH = 100_000;
const decode = fetchResponse.decode;

/**
 * kafkajs takes the aborted transactions that a fetch names to be in the order of their beginnings, and gives out records
 * of those that are not; it does not say which batch it cannot unpack, and fails without a word on one of very many
 * records. All that is put right where it decodes a fetch, of the version that every broker since Kafka 2.3 speaks with it.
 *
 * @throws when kafkajs is another version: then see whether it still needs this.
 */
export function repairFetch(version = manifest.version): void {
  if (version !== REPAIRED_VERSION) {
    throw new Error(`kafkajs is ${version}, and its fetches are repaired for ${REPAIRED_VERSION} only`);
  }
  fetchResponse.decode = async (bytes) => {
    const crowded = findCrowded(bytes, MAX_RECORDS_A_BATCH);
    if (crowded !== undefined) {
      throw unreadable(new BatchUnreadableError(`a batch holds more than ${MAX_RECORDS_A_BATCH} records`), crowded);
    }
    const decoded = await decode(bytes).catch(async (thrown: unknown) => {
      throw thrown instanceof BatchUnreadableError ? await located(thrown, bytes) : thrown;
    });
    for (const partition of decoded.responses.flatMap(({ partitions }) => partitions)) {
      hideAborted(partition.messages, partition.abortedTransactions);
      partition.abortedTransactions = [];
    }
    return decoded;
  };
}

async function located(error: BatchUnreadableError, bytes: Buffer): Promise<BatchUnreadableError> {
  const found = await findUnreadable(bytes);
  return found === undefined ? error : unreadable(error, found);
}

/** Says what is where and how an operator goes on, since no program can. */
function unreadable(error: BatchUnreadableError, found: BatchPlace): BatchUnreadableError {
  const { topic, partition, from, until } = found;
  const where = `${error.message}: topic ${topic}, partition ${partition}, offsets ${from} to ${until - 1}`;
  const tool = `kafka-consumer-groups.sh --group GROUP --reset-offsets --to-offset ${until} --topic ${topic}:${partition} --execute`;
  const remedy = `keep the batch if you need it, stop every worker of the group, and set the group past it with ${tool}`;
  return new BatchUnreadableError(`${where}; to go on, ${remedy}`, { ...found }, { cause: error.cause });
}
