import { FakePublisher } from "../../fakes/fake-publisher.ts";
import { publisherSuite } from "../../ports/publisher-suite.ts";

publisherSuite("a publisher in memory", async ({ maxRecordBytes }) => {
  const closing = new AbortController();
  const publisher = new FakePublisher({ maxRecordBytes, signal: closing.signal });
  return {
    topic: "verdicts",
    publisher,
    abort: (reason) => closing.abort(reason),
    count: async () => publisher.records.length,
    written: async () =>
      publisher.records.map(({ key, value, headers }) => ({ key, value: Buffer.from(value).toString(), headers })),
    close: async () => undefined,
  };
});
