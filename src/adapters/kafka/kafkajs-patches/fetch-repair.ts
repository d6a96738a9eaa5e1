import manifest from "kafkajs/package.json" with { type: "json" };
import Decoder from "kafkajs/src/protocol/decoder.js";
import decodeMessageSet from "kafkajs/src/protocol/messageSet/decoder.js";
import fetchResponse, { type DecodedMessage } from "kafkajs/src/protocol/requests/fetch/v11/response.js";
import { fetchedPartitions } from "../consumer/fetched-partitions.ts";
import { unpack } from "../wire/codecs.ts";
import { decodeRecords } from "../wire/decode-records.ts";
import { type FetchedPartition, readFetchAnswer } from "../wire/fetch-answer.ts";
import { batchesOf, type FetchedBatch, isOldFormat } from "../wire/fetched-batch.ts";
import { hideAborted } from "./aborted-records.ts";
import { BatchUnreadableError, unreadableAt } from "./batch-unreadable-error.ts";

const REPAIRED_VERSION = "2.2.4";
/** No producer fills so many. Each record takes some hundred bytes of memory beside its own. */
const MAX_RECORDS_A_BATCH = 100_000;
/** A batch, in whichever format, begins with its first offset. */
const OFFSET_BYTES = 8;
let isRepaired = false;

/**
 * Reads fetches in the place of kafkajs, which
 * - copies all headers of a record for each further header, so that 12,000 take a minute;
 * - reads nothing from a batch without records, as compaction leaves them, and fetches that batch for ever;
 * - takes the aborted transactions that a fetch names to be in the order of their beginnings;
 * - does not say which batch fails to unpack.
 *
 * kafkajs uses this version of the answer with every broker since Kafka 2.3.
 *
 * @throws when kafkajs is another version: then see whether it still needs this.
 */
export function repairFetch(version = manifest.version): void {
  if (version !== REPAIRED_VERSION) {
    throw new Error(`kafkajs is ${version}, and its fetches are repaired for ${REPAIRED_VERSION} only`);
  }
  if (isRepaired) return;
  isRepaired = true;
  fetchResponse.decode = async (bytes) => {
    const { throttleTimeMs, errorCode, sessionId, topics } = readFetchAnswer(bytes);
    const responses = [];
    for (const { topic, partitions } of topics) {
      const decoded = [];
      for (const { records, ...partition } of partitions) {
        const messages = await messagesOf(topic, partition, records);
        // Aborted records are marked already.
        decoded.push({ ...partition, abortedTransactions: [], messages });
      }
      responses.push({ topicName: topic, partitions: decoded });
    }
    // The broker has not throttled the request yet: kafkajs does, by the other number.
    return { throttleTime: 0, clientSideThrottleTime: throttleTimeMs, errorCode, sessionId, responses };
  };
}

type Head = Omit<FetchedPartition, "records">;

async function messagesOf(topic: string, head: Head, records: Buffer): Promise<readonly DecodedMessage[]> {
  const { partition } = head;
  noteFetch(topic, head, records);
  if (isOldFormat(records)) return oldMessages(topic, partition, records);
  const messages: DecodedMessage[] = [];
  let until: number | undefined;
  for (const batch of batchesOf(records)) {
    for (const record of await recordsOf(topic, partition, batch)) messages.push(record);
    until = batch.until;
  }
  hideAborted(messages, head.abortedTransactions);
  // kafkajs reads on behind the last message. One that is never given out stands for records that are gone.
  if (until !== undefined && Number(messages.at(-1)?.offset ?? -1) < until - 1) messages.push(nothingAt(until - 1));
  return messages;
}

/** A broker that refuses a partition names -1 as its end: what is known of it stays. */
function noteFetch(topic: string, { partition, errorCode, highWatermark }: Head, records: Buffer): void {
  if (errorCode !== 0) return;
  const from = records.length >= OFFSET_BYTES ? Number(records.readBigInt64BE(0)) : undefined;
  fetchedPartitions.fetched({ topic, partition }, Number(highWatermark), from);
}

async function recordsOf(topic: string, partition: number, batch: FetchedBatch): Promise<readonly DecodedMessage[]> {
  const { from, until, count, codec, payload } = batch;
  try {
    if (count > MAX_RECORDS_A_BATCH)
      throw new BatchUnreadableError(`a batch holds more than ${MAX_RECORDS_A_BATCH} records`);
    return decodeRecords(batch, await unpack(codec, payload));
  } catch (thrown) {
    throw unreadableAt(thrown, { topic, partition, from, until });
  }
}

/** Kafka before 4.0 may keep what was written by clients of before 0.11 so. It knows neither headers nor transactions. */
async function oldMessages(topic: string, partition: number, records: Buffer): Promise<readonly DecodedMessage[]> {
  try {
    return await decodeMessageSet(new Decoder(records), records.length);
  } catch (thrown) {
    const from = Number(records.readBigInt64BE(0));
    throw unreadableAt(thrown, { topic, partition, from, until: from + 1 });
  }
}

function nothingAt(offset: number): DecodedMessage {
  return { offset: String(offset), timestamp: "-1", key: null, value: null, headers: {}, isControlRecord: true };
}
