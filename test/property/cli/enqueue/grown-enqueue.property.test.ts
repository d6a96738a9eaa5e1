import { writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readRecords } from "../../../../src/adapters/files/input/records.ts";
import { EnqueueLines } from "../../../../src/cli/enqueue/enqueue-lines.ts";
import { type Enqueued, NOTHING } from "../../../../src/cli/enqueue/enqueue-window.ts";
import { FakePublisher } from "../../../fakes/fake-publisher.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";
import { emptyFolder } from "../../../support/folder.ts";
import { grownFormats, recordsOf } from "../../../support/grown-files.ts";
import { propertyRuns } from "../../../support/property-runs.ts";

type Input = Parameters<typeof readRecords>[0];

/** A run that continues from `begun`. @returns its progress. */
async function enqueue(input: Input, begun: Enqueued, publisher: FakePublisher): Promise<Enqueued> {
  const lines = new EnqueueLines({
    records: readRecords(input),
    topic: "bulk",
    begun,
    publisher,
    clock: new VirtualClock(0),
    keep: async () => undefined,
    onBad: () => undefined,
    stop: new AbortController().signal,
  });
  await lines.run();
  return lines.done;
}

const sentIn = ({ records }: FakePublisher) => records.map(({ value }) => Buffer.from(value).toString());

test.each(grownFormats)(
  "runs over each beginning of $name send the records of one run over the whole",
  { timeout: 3_600_000 },
  async (format) => {
    const growth = fc.record({
      rows: fc.array(format.row, { minLength: 1, maxLength: 3 }),
      hasEnd: fc.boolean(),
    });
    const file = path.join(await emptyFolder(), format.name);
    const input: Input = { path: file, defaults: { chain: format.chain, users: [] } };
    const send = async ({ rows, hasEnd }: typeof growth extends fc.Arbitrary<infer T> ? T : never) => {
      const whole = Buffer.from(format.head + rows.map(({ text }) => text).join("\n") + (hasEnd ? "\n" : ""));
      const [grown, once] = [new FakePublisher(), new FakePublisher()];
      let done = NOTHING;
      for (let size = 0; size <= whole.length; size++) {
        await writeFile(file, whole.subarray(0, size));
        done = await enqueue(input, done, grown);
      }
      done = await enqueue({ ...input, isFinished: true }, done, grown);

      expect(done).toEqual(await enqueue({ ...input, isFinished: true }, NOTHING, once));
      expect(sentIn(grown)).toEqual(sentIn(once));
      expect(sentIn(once)).toHaveLength(recordsOf(format.head, rows).length);
    };
    await fc.assert(fc.asyncProperty(growth, send), propertyRuns(10));
  },
);
