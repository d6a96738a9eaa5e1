import manifest from "kafkajs/package.json" with { type: "json" };
import Encoder from "kafkajs/src/protocol/encoder.js";
import produce from "kafkajs/src/protocol/requests/produce/index.js";

type ProduceParams = Parameters<ReturnType<typeof produce.protocol>>[0];

const KNOWN_VERSION = "2.2.4";
/** The first version of the produce request with batches in the format since Kafka 0.11. */
const FIRST_REQUEST = 3;
const protocol = produce.protocol;
const writeEncoder = Encoder.prototype.writeEncoder;
/** Whole batches, and headers in front of one, each with its number of free bytes before it. */
const roomBefore = new WeakMap<Buffer, number>();

/**
 * Makes kafkajs send complete batches, each as the only message of its send. For plain records, kafkajs makes an object
 * for each record and each header. It also copies all records for each one that it adds. It makes three more copies for
 * the header of a request. Here that header is written into the room before the batch.
 *
 * @throws when kafkajs has another version: check then whether it still encodes requests in the same functions.
 */
export function sendWholeBatches(version = manifest.version): void {
  if (version !== KNOWN_VERSION) {
    throw new Error(`kafkajs is ${version}, and whole batches are sent by ${KNOWN_VERSION} only`);
  }
  produce.protocol = (asked) => (params) => {
    const made = protocol(asked)(params);
    const batch = wholeBatchOf(params);
    if (batch === undefined) return made;
    if (asked.version < FIRST_REQUEST) throw new Error("the broker takes no batches of the format since Kafka 0.11");
    return { ...made, request: { ...made.request, encode: async () => encoded(params, batch) } };
  };
  Encoder.prototype.writeEncoder = function (this: Encoder, value: Encoder): Encoder {
    return roomBefore.has(value.buf) ? putBefore(this, value.buf) : writeEncoder.call(this, value);
  };
}

/** @param room free bytes before the batch. @returns the message value that stands for a batch's records. */
export function wholeBatch(batch: Buffer, room = 0): Buffer {
  roomBefore.set(batch, room);
  return batch;
}

interface Placed {
  readonly topic: string;
  readonly partition: number;
  readonly bytes: Buffer;
}

function wholeBatchOf({ topicData }: ProduceParams): Placed | undefined {
  const messages = topicData.flatMap(({ topic, partitions }) =>
    partitions.flatMap(({ partition, messages }) => messages.map(({ value }) => ({ topic, partition, value }))),
  );
  const batch = messages.find(({ value }) => Buffer.isBuffer(value) && roomBefore.has(value));
  if (batch === undefined) return undefined;
  const { topic, partition, value } = batch;
  if (messages.length !== 1 || !Buffer.isBuffer(value)) throw new Error("a whole batch is sent with nothing beside it");
  return { topic, partition, bytes: value };
}

/** Source: Kafka's documentation, "Produce Request (Version: 3)". Nothing changes up to version 8. */
function encoded({ acks, timeout }: ProduceParams, { topic, partition, bytes }: Placed): Encoder {
  const head = new Encoder()
    .writeString(null)
    .writeInt16(acks)
    .writeInt32(timeout)
    .writeInt32(1)
    .writeString(topic)
    .writeInt32(1)
    .writeInt32(partition)
    .writeInt32(bytes.length);
  return putBefore(head, bytes);
}

/** Appends `bytes` to `head`. Where there is room before `bytes`, `head` is copied into it instead. */
function putBefore(head: Encoder, bytes: Buffer): Encoder {
  const { buf, offset } = head;
  const room = roomBefore.get(bytes) ?? 0;
  const all =
    offset <= room
      ? Buffer.from(bytes.buffer, bytes.byteOffset - offset, offset + bytes.length)
      : Buffer.concat([buf.subarray(0, offset), bytes]);
  if (offset <= room) buf.copy(all, 0, 0, offset);
  roomBefore.set(all, Math.max(0, room - offset));
  head.buf = all;
  head.offset = all.length;
  return head;
}
