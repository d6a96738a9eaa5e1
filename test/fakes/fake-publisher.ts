import { RecordTooLargeError } from "../../src/kernel/errors.ts";
import type { OutRecord, Publisher } from "../../src/kernel/stream.ts";

/** Keeps what is published; durable at once, unless the test says otherwise. */
export class FakePublisher implements Publisher {
  readonly #maxRecordBytes: number;
  readonly #signal: AbortSignal;
  readonly records: OutRecord<Uint8Array>[] = [];
  /** Why nothing becomes durable. */
  obstacle: string | undefined;
  /** What a record waits for before it is durable. */
  durable: (record: OutRecord) => Promise<void> = () => Promise.resolve();

  /** @param signal closes it. */
  constructor({ maxRecordBytes = Number.POSITIVE_INFINITY, signal = new AbortController().signal } = {}) {
    this.#maxRecordBytes = maxRecordBytes;
    this.#signal = signal;
  }

  async publish(record: OutRecord): Promise<void> {
    this.#signal.throwIfAborted();
    const size = sizeOf(record);
    if (size > this.#maxRecordBytes) throw new RecordTooLargeError(`a record of ${size} bytes`);
    // Taken at once, as everybody does that publishes.
    const taken = { ...record, value: Buffer.from(record.value) };
    await this.durable(taken);
    this.#signal.throwIfAborted();
    this.records.push(taken);
  }

  /** What was published to a topic: key, headers, and the value as JSON. */
  to(topic: string): { readonly key: string; readonly headers: OutRecord["headers"]; readonly value: unknown }[] {
    const records = this.records.filter((record) => record.topic === topic);
    return records.map(({ key, headers, value }) => ({
      key,
      headers,
      value: JSON.parse(Buffer.from(value).toString()),
    }));
  }
}

function sizeOf({ key, value, headers }: OutRecord): number {
  const texts = [key, value, ...Object.entries(headers).flat()];
  return texts.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
}
