import { RecordTooLargeError } from "../../src/kernel/errors.ts";
import type { OutRecord, Publisher } from "../../src/kernel/stream.ts";

/** Records published records. They are durable at once, unless the test changes that. */
export class FakePublisher implements Publisher {
  readonly #maxRecordBytes: number;
  readonly #signal: AbortSignal;
  readonly records: OutRecord<Uint8Array>[] = [];
  /** The reason why no record becomes durable. */
  obstacle: string | undefined;
  /** The wait of a record before it is durable. */
  durable: (record: OutRecord) => Promise<void> = () => Promise.resolve();

  /** @param signal that closes the publisher. */
  constructor({ maxRecordBytes = Number.POSITIVE_INFINITY, signal = new AbortController().signal } = {}) {
    this.#maxRecordBytes = maxRecordBytes;
    this.#signal = signal;
  }

  async publish(record: OutRecord): Promise<void> {
    this.#signal.throwIfAborted();
    const size = sizeOf(record);
    if (size > this.#maxRecordBytes) throw new RecordTooLargeError(`a record of ${size} bytes`);
    // The value is copied at once, as every publisher does.
    const taken = { ...record, value: Buffer.from(record.value) };
    await this.durable(taken);
    this.#signal.throwIfAborted();
    this.records.push(taken);
  }

  /** The records published to a topic: key, headers, and the value as JSON. */
  to(topic: string): { readonly key: string; readonly headers: OutRecord["headers"]; readonly value: unknown }[] {
    const records = this.records.filter((record) => record.topic === topic);
    return records.map(({ key, headers, value }) => ({
      key: Buffer.from(key).toString(),
      headers,
      value: JSON.parse(Buffer.from(value).toString()),
    }));
  }
}

function sizeOf({ key, value, headers }: OutRecord): number {
  const texts = [key, value, ...Object.entries(headers).flat()];
  return texts.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
}
