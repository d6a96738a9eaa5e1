import { expect, test } from "vitest";
import { audit } from "../../../../src/archive/audit/audit.ts";
import type { AuditFinding } from "../../../../src/archive/audit/audit-finding.ts";
import { liveTopic } from "../../../../src/archive/audit/topic-records.ts";
import { ArchiveLoop } from "../../../../src/archive/writer/archive-loop.ts";
import { FakeConsumer, recordsAt } from "../../../fakes/fake-consumer.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { FakeObjectStore } from "../../../fakes/fake-object-store.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";
import { auditedListSets } from "../../../support/audited-list-sets.ts";

const here = { topic: "verdicts", partition: 0 };
const range = (from: number, until: number) => Array.from({ length: until - from }, (_, i) => from + i);

/** A store that runs an action at the moment of a listing. */
class WatchedStore extends FakeObjectStore {
  onList: () => Promise<void> = async () => undefined;
  override async *list(prefix: string) {
    await this.onList();
    yield* super.list(prefix);
  }
}

test("objects that an archiver stores while the audit runs are no damage", async () => {
  const consumer = new FakeConsumer();
  const store = new WatchedStore();
  const stop = new AbortController();
  const loop = new ArchiveLoop({
    consumer,
    offsets: { positions: async () => new Map() },
    store,
    topic: "verdicts",
    limits: { verdicts: 3, bytes: 1_000, ageMs: 300_000 },
    maxBytes: 10_000,
    clock: new VirtualClock(),
    random: () => 0.5,
    log: new FakeLog(),
    observer: { stored: () => undefined, failed: () => undefined, lost: () => undefined },
    stop: stop.signal,
  });
  const running = loop.run();
  await settled();
  consumer.handler.joined([here]);
  await settled();
  let end = 0;
  const write = async (count: number) => {
    const offsets = range(end, end + count);
    end += count;
    consumer.handler.delivered(recordsAt(offsets, here));
    await settled();
  };
  await write(3);
  // Once before the keys are listed, and once before they are read.
  store.onList = () => write(3);
  const ask = async () => {
    const commit = consumer.commits.flat().at(-1);
    return new Map([[0, { committed: commit?.offset, metadata: commit?.metadata ?? "", earliest: 0, end }]]);
  };
  const topic = await liveTopic({
    ask,
    open: async (_at, from, ends) => ({
      async *read() {
        yield* recordsAt(range(from, ends.get(0)?.end ?? 0), here);
      },
      stop: async () => undefined,
    }),
  });
  const findings: AuditFinding[] = [];

  const counts = await audit("verdicts", {
    store,
    decide: () => undefined,
    topic,
    signal: stop.signal,
    onFinding: (found) => findings.push(found),
    knownLosses: [],
    onKnown: () => undefined,
    listSets: auditedListSets,
    onListed: () => undefined,
    onObject: () => undefined,
  });

  // The fake's records are numbers, not verdicts.
  expect(findings.filter(({ finding }) => finding !== "not_a_verdict")).toEqual([]);
  expect([counts.objects, counts.compared]).toEqual([3, 9]);
  stop.abort();
  await running;
});
