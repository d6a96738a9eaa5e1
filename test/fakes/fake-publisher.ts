import type { OutRecord, Publisher } from "../../src/kernel/stream.ts";

/** Keeps what is published; durable at once, unless the test says otherwise. */
export class FakePublisher implements Publisher {
  readonly records: OutRecord<Uint8Array>[] = [];
  /** Why nothing becomes durable. */
  obstacle: string | undefined;
  /** What a record waits for before it is durable. */
  durable: (record: OutRecord) => Promise<void> = () => Promise.resolve();

  async publish(record: OutRecord): Promise<void> {
    // Taken at once, as everybody does that publishes.
    const taken = { ...record, value: Buffer.from(record.value) };
    await this.durable(taken);
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
