import manifest from "kafkajs/package.json" with { type: "json" };
import Encoder from "kafkajs/src/protocol/encoder.js";
import produce from "kafkajs/src/protocol/requests/produce/index.js";

type ProduceParams = Parameters<ReturnType<typeof produce.protocol>>[0];

const KNOWN_VERSION = "2.2.4";
/** The first produce request that takes batches of the format since Kafka 0.11. */
const FIRST_REQUEST = 3;
const protocol = produce.protocol;
const writeEncoder = Encoder.prototype.writeEncoder;
/** Whole batches, and what was written in front of one, each with how many bytes before it are free. */
const roomBefore = new WeakMap<Buffer, number>();

/**
 * Has kafkajs send batches that are written already, each as the one message of its send. What it makes of records
 * itself is an object for each of them and for each of their headers, and a copy of all of them for each that it adds; and
 * three more copies for what stands in front of a request, which is written into the room before the batch instead.
 *
 * @throws when kafkajs is another version: then see whether it still makes its requests where this looks.
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

/** @param room bytes before it that are free. @returns the value of a message that stands for a batch's records. */
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

/** Source: Kafka's documentation, "Produce Request (Version: 3)"; up to version 8 nothing was changed. */
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

/** Has `head` go on with `bytes`, by being put in front of them where there is room. */
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
