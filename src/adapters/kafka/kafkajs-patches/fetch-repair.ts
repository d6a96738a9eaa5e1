import manifest from "kafkajs/package.json" with { type: "json" };
import Decoder from "kafkajs/src/protocol/decoder.js";
import decodeMessageSet from "kafkajs/src/protocol/messageSet/decoder.js";
import fetchResponse, { type DecodedMessage } from "kafkajs/src/protocol/requests/fetch/v11/response.js";
import { fetchedPartitions } from "../consumer/fetched-partitions.ts";
import type { EpochStart } from "../offsets/log-truncation.ts";
import { unpack } from "../wire/codecs.ts";
import { decodeRecords } from "../wire/decode-records.ts";
import { type FetchedPartition, readFetchAnswer } from "../wire/fetch-answer.ts";
import { batchesOf, type FetchedBatch, isOldFormat } from "../wire/fetched-batch.ts";
import { hideAborted } from "./aborted-records.ts";
import { BatchUnreadableError, unreadableAt } from "./batch-unreadable-error.ts";

const REPAIRED_VERSION = "2.2.4";
/** Most records in a batch; no producer writes more. Each record takes some hundred bytes of memory beside its own. */
const MAX_RECORDS_A_BATCH = 100_000;
/** Every format of a batch begins with its first offset. */
const OFFSET_BYTES = 8;
let isRepaired = false;

/**
 * Replaces the decoder of fetches in kafkajs, which
 * - copies all headers of a record for each further header, so that 12,000 headers take a minute;
 * - reads nothing from a batch without records, as compaction leaves them, and fetches that batch forever;
 * - expects the aborted transactions of a fetch in the order of their beginnings;
 * - does not tell which batch cannot be unpacked.
 *
 * kafkajs uses this version of the answer with every broker since Kafka 2.3.
 *
 * @throws when kafkajs has another version: check then whether that version still needs this.
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
        // Aborted records are already marked.
        decoded.push({ ...partition, abortedTransactions: [], messages });
      }
      responses.push({ topicName: topic, partitions: decoded });
    }
    // The broker has not throttled the request yet: kafkajs throttles by the other number.
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
  const epochs: EpochStart[] = [];
  for (const batch of batchesOf(records)) {
    const { leaderEpoch: epoch, from } = batch;
    if (epoch > (epochs.at(-1)?.epoch ?? -1)) epochs.push({ epoch, from });
    for (const record of await recordsOf(topic, partition, batch)) messages.push(record);
    until = batch.until;
  }
  fetchedPartitions.fetchedEpochs({ topic, partition }, epochs);
  hideAborted(messages, head.abortedTransactions);
  // kafkajs reads on behind the last message. A message that is never delivered stands for the missing records.
  if (until !== undefined && Number(messages.at(-1)?.offset ?? -1) < until - 1) messages.push(nothingAt(until - 1));
  return messages;
}

/** A broker that refuses a partition reports -1 as its end, so the known end stays. */
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

/**
 * Kafka before 4.0 may store records of clients before 0.11 in this format. The format has no headers and no
 * transactions.
 */
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
