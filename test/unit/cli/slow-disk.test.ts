import path from "node:path";
import { expect, test } from "vitest";
import { BottleneckSlots } from "../../../src/adapters/bottleneck/bottleneck-slots.ts";
import { VerdictFile } from "../../../src/adapters/files/output/verdict-file.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { runLoop } from "../../../src/worker/screening/loop.ts";
import { clean } from "../../fakes/evidence.ts";
import { FakeService } from "../../fakes/fake-service.ts";
import { recordOf } from "../../fakes/records.ts";
import { singleAnswer } from "../../fakes/single-answer.ts";
import { workerFor } from "../../fakes/worker.ts";
import { eventually } from "../../support/eventually.ts";
import { emptyFolder } from "../../support/folder.ts";

const LINES = 1_000;
/** Size of each answer, which its verdict keeps. */
const ANSWER_BYTES = 100_000;
const CONCURRENCY = 4;
const addressOn = (line: number) => `0xd9a1c3788d81257612e2581a6ea0ada2${line.toString(16).padStart(8, "0")}`;

/** A service with long answers about each address. */
function talkative(): FakeService {
  return new FakeService().on("poisoningSingle", ({ address }) => {
    return singleAnswer(address, { target_address: { ...clean.target, says: "x".repeat(ANSWER_BYTES) } });
  });
}

test("while the disk is stalled, backpressure stops requests and reading at the limit", async () => {
  const disk = Promise.withResolvers<void>();
  const service = talkative();
  const slots = new BottleneckSlots({ minTimeMs: 0, maxConcurrent: CONCURRENCY, catchUp: 1, clock: systemClock });
  const file = path.join(await emptyFolder(), "verdicts.ndjson");
  const written: number[] = [];
  const verdicts = await VerdictFile.open(
    file,
    "events.ndjson",
    () => undefined,
    () => disk.promise,
    (isFull) => worker.gate.hold(isFull),
  );
  const lane = { events: 500, span: LINES, bytes: 2 ** 30 };
  const bounds = { realtime: lane, backfill: lane };
  const worker = workerFor(service, { sink: verdicts, slots, bounds, onVerdict: () => written.push(1) });
  let read = 0;
  async function* lines() {
    for (let line = 1; line <= LINES; line++) {
      read = line;
      yield [recordOf({ type: "address", chain_id: "1", address: addressOn(line) }, line)];
    }
  }

  const running = runLoop(lines(), worker);
  const asked = () => service.requests.length;
  let before = -1;
  await eventually(
    async () => {
      const isStill = before === asked();
      before = asked();
      await new Promise((resolve) => setTimeout(resolve, 200));
      return isStill && before > 0;
    },
    (isStill) => isStill,
    "the end of all asking",
  );
  const askedAtRest = asked();
  disk.resolve();
  await running;
  await verdicts.close();

  const room = Math.ceil((16 * 2 ** 20) / ANSWER_BYTES);
  expect(askedAtRest).toBeLessThanOrEqual(room + 2 * CONCURRENCY);
  expect(askedAtRest).toBeGreaterThan(room / 2);
  expect(read).toBe(LINES);
  expect(written).toHaveLength(LINES);
});
