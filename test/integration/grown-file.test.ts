/**
 * A file that still grows, so that its last line or row may be truncated. The run with the completed file continues in
 * the same directory.
 */
import { appendFile, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { FAKE, genuine, inputOf, lookalike, ndjson, REAL } from "../support/screening.ts";
import { lineOf, verdictsIn } from "../support/verdicts.ts";
import { run } from "../support/weir.ts";

async function outcomesIn(out: string): Promise<readonly string[]> {
  return (await verdictsIn(out)).map((verdict) => `${lineOf(verdict)} ${verdict.decision}`);
}

const screen = (file: string, out: string) => run(["screen", file, "--out", out]);

describe("NDJSON with a last line that has no line end", () => {
  test("an incomplete object waits, is reported, and is screened once it is complete", async () => {
    const whole = ndjson(genuine, lookalike);
    const { file, out } = await inputOf("events.ndjson", whole.slice(0, -30));

    const first = await screen(file, out);
    expect(first.stdout).toMatch(/^waiting: line 2 has no line end and is no whole JSON object: it was not screened/m);
    expect(first.stdout).toMatch(/The last line is not complete\..* \(exit status 2\)\.$/m);
    expect([first.status, await outcomesIn(out)]).toEqual([2, ["1 ALLOW"]]);

    await writeFile(file, whole);
    expect([(await screen(file, out)).status, await outcomesIn(out)]).toEqual([0, ["1 ALLOW", "2 BLOCK"]]);
  });

  test("a complete event keeps its verdict when only its line end is added", async () => {
    const whole = ndjson(genuine, lookalike);
    const { file, out } = await inputOf("events.ndjson", whole.slice(0, -1));
    expect([(await screen(file, out)).status, await outcomesIn(out)]).toEqual([0, ["1 ALLOW", "2 BLOCK"]]);

    await appendFile(file, `\n${ndjson(genuine)}`);
    const second = await screen(file, out);

    expect(second.stdout).toContain("resumed: 2 of them");
    expect([second.status, await outcomesIn(out)]).toEqual([0, ["1 ALLOW", "2 BLOCK", "3 ALLOW"]]);
  });

  test("a complete event that grows into other text is screened again", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike).slice(0, -1));
    expect((await screen(file, out)).status).toBe(0);

    await appendFile(file, `,\n${ndjson(genuine)}`);

    const outcomes = ["1 ALLOW", "2 BLOCK", "2 UNKNOWN", "3 ALLOW"];
    expect([(await screen(file, out)).status, await outcomesIn(out)]).toEqual([2, outcomes]);
  });
});

describe("CSV with a last row that has no line end", () => {
  const head = "chain_id,address,user_addresses,ref\n";
  const honest = `1,${REAL},${REAL},`;
  const imitation = `1,${FAKE},${REAL},`;

  test("the last row is screened, and is screened again when it has grown", async () => {
    const { file, out } = await inputOf("events.csv", `${head}${honest}a\n${imitation.slice(0, 20)}`);
    expect([(await screen(file, out)).status, await outcomesIn(out)]).toEqual([2, ["2 ALLOW", "3 UNKNOWN"]]);

    await writeFile(file, `${head}${honest}a\n${imitation}b`);
    const second = await screen(file, out);
    expect([second.status, await outcomesIn(out)]).toEqual([0, ["2 ALLOW", "3 UNKNOWN", "3 BLOCK"]]);
    // The message about the truncated row is no part of the outcome.
    expect(second.stdout).toMatch(/^events +2$/m);

    await appendFile(file, `\n${honest}c\n`);
    const third = await screen(file, out);
    expect([third.status, await outcomesIn(out)]).toEqual([0, ["2 ALLOW", "3 UNKNOWN", "3 BLOCK", "4 ALLOW"]]);
    expect(third.stdout).toMatch(/^events +3$/m);
    expect((await run(["audit", "--dir", out])).status).toBe(0);
  });

  test("an unclosed quoted cell over several lines is screened again when it has grown", async () => {
    const whole = `${head}${honest}a\n${imitation}"one\ntwo\nthree"\n${honest}c\n`;
    const { file, out } = await inputOf("events.csv", whole.slice(0, whole.indexOf("three") + 3));
    expect((await screen(file, out)).status).toBe(2);
    expect(await outcomesIn(out)).toEqual(["2 ALLOW", "3 UNKNOWN", "4 UNKNOWN", "5 UNKNOWN"]);

    await writeFile(file, whole);
    const second = await screen(file, out);
    expect(second.status).toBe(0);
    expect((await outcomesIn(out)).toSorted()).toEqual(
      ["2 ALLOW", "3 BLOCK", "3 UNKNOWN", "4 UNKNOWN", "5 UNKNOWN", "6 ALLOW"].toSorted(),
    );
    expect(second.stdout).toMatch(/^events +3$/m);
    expect((await screen(file, out)).status).toBe(0);
  });

  test("a changed last row that is not a grown one is refused as before", async () => {
    const { file, out } = await inputOf("events.csv", `${head}${honest}a`);
    await screen(file, out);
    await writeFile(file, `${head}${imitation}a\n`);

    const { status, stderr } = await screen(file, out);

    expect([status, await outcomesIn(out)]).toEqual([1, ["2 ALLOW"]]);
    expect(stderr).toMatch(/line 2 is not what was screened here before/);
  });
});

test("a truncated packed file ends the run, and the whole file continues in its directory", async () => {
  const { folder, file, out } = await inputOf("events.ndjson.gz", "");
  const packed = gzipSync(ndjson(...Array.from({ length: 50 }, (_, i) => ({ ...genuine, id: `e${i}` })), lookalike));
  await writeFile(file, packed.subarray(0, packed.length - 20));

  const first = await screen(file, out);
  expect([first.status, first.stderr]).toEqual([1, expect.stringMatching(/events\.ndjson\.gz/)]);

  await writeFile(file, packed);
  expect((await screen(file, out)).status).toBe(0);
  const verdicts = await readFile(path.join(folder, "out", "verdicts.ndjson"), "utf8");
  expect(verdicts.split("\n")).toHaveLength(52);
});
