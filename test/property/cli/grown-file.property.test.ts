import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fileRun, saidIn } from "../../support/file-run.ts";
import { emptyFolder } from "../../support/folder.ts";
import { apart, csvRowOf, type GrownFormat, grownFormats, type Row, recordsOf } from "../../support/grown-files.ts";
import { propertyRuns } from "../../support/property-runs.ts";

interface Growth {
  readonly format: GrownFormat;
  readonly rows: readonly Row[];
  /** The first size. */
  readonly from: number;
  /** Whether a line end follows the last row. */
  readonly hasEnd: boolean;
  /** A run is killed after this number of new verdicts, and then repeated; one entry for each size in turn. */
  readonly kills: readonly number[];
}

/**
 * The content of verdicts after a run over each beginning of a file, byte by byte. It is compared with one run over the
 * whole.
 */
async function grow({ format, rows, from, hasEnd, kills }: Growth) {
  const folder = await emptyFolder();
  const file = path.join(folder, format.name);
  const [grown, once] = [path.join(folder, "grown"), path.join(folder, "once")];
  for (const out of [grown, once]) await mkdir(out);
  const input = { path: file, defaults: { chain: format.chain, users: [] } };
  const whole = Buffer.from(format.head + rows.map(({ text }) => text).join("\n") + (hasEnd ? "\n" : ""));
  for (let size = from; size <= whole.length; size++) {
    await writeFile(file, whole.subarray(0, size));
    const killedAfter = kills[size % kills.length];
    if (killedAfter !== undefined) await fileRun({ input, out: grown, killedAfter });
    await fileRun({ input, out: grown });
  }
  const finished = { ...input, isFinished: true };
  await fileRun({ input: finished, out: grown });
  await fileRun({ input: finished, out: once });
  return { grown: await saidIn(grown), once: await saidIn(once) };
}

async function check(growth: Growth): Promise<void> {
  const { grown, once } = await grow(growth);

  const said = grown.map(({ line, subject, ref }) => [line, subject.type === "unreadable" ? null : (ref ?? "")]);
  expect(said).toEqual(recordsOf(growth.format.head, growth.rows));
  expect(grown).toEqual(once);
}

const [csv] = grownFormats;

test.each<[string, readonly Row[]]>([
  ["a row cut in its ref, which no id is made of", [csvRowOf("zz", "n", "order-12")]],
  ["a row cut behind a cell with a line break", [csvRowOf("zz", "n\nm", "r")]],
  ["a row of several lines that growth takes apart", [apart('zz,n,"r\ns"t')]],
])("%s", async (_what, rows) => {
  await check({ format: csv, rows, from: csv.head.length, hasEnd: true, kills: [0] });
});

test.each(grownFormats)(
  "runs over each beginning of $name leave the verdicts of one over the whole",
  { timeout: 3_600_000 },
  async (format) => {
    const growth = fc.record({
      rows: fc.array(format.row, { minLength: 1, maxLength: 3 }),
      hasEnd: fc.boolean(),
      kills: fc.array(fc.nat(2), { minLength: 1, maxLength: 7 }),
    });
    await fc.assert(
      fc.asyncProperty(growth, (each) => check({ format, from: 0, ...each })),
      propertyRuns(4),
    );
  },
);
