/** A file that still grows: its last line, or its last row, may be cut. The run with the completed file goes on in the same directory. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
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

describe("NDJSON whose last line has no line end", () => {
  test("a line that is no whole object waits, is told, and is screened once it is complete", async () => {
    const whole = ndjson(genuine, lookalike);
    const { file, out } = await inputOf("events.ndjson", whole.slice(0, -30));

    const first = await screen(file, out);
    expect(first.stdout).toMatch(/^waiting: line 2 has no line end and may still grow; it was not screened\. /m);
    expect(first.stdout).toMatch(/^The end of the file was not screened: it may still grow \(exit status 2\)\.$/m);
    expect([first.status, await outcomesIn(out)]).toEqual([2, ["1 ALLOW"]]);

    await writeFile(file, whole);
    expect([(await screen(file, out)).status, await outcomesIn(out)]).toEqual([0, ["1 ALLOW", "2 BLOCK"]]);
  });

  test("a whole event keeps its verdict, when only its line end comes too", async () => {
    const whole = ndjson(genuine, lookalike);
    const { file, out } = await inputOf("events.ndjson", whole.slice(0, -1));
    expect([(await screen(file, out)).status, await outcomesIn(out)]).toEqual([0, ["1 ALLOW", "2 BLOCK"]]);

    await appendFile(file, `\n${ndjson(genuine)}`);
    const second = await screen(file, out);

    expect(second.stdout).toContain("resumed: 2 of them");
    expect([second.status, await outcomesIn(out)]).toEqual([0, ["1 ALLOW", "2 BLOCK", "3 ALLOW"]]);
  });

  test("a whole event that grew to something else is refused", async () => {
    const { file, out } = await inputOf("events.ndjson", ndjson(genuine, lookalike).slice(0, -1));
    expect((await screen(file, out)).status).toBe(0);

    await appendFile(file, `,\n${ndjson(genuine)}`);
    const { status, stderr } = await screen(file, out);

    expect([status, await outcomesIn(out)]).toEqual([1, ["1 ALLOW", "2 BLOCK"]]);
    expect(stderr).toMatch(/line 2 is not what was screened here before/);
  });
});

describe("CSV whose last row is not whole", () => {
  const head = "chain_id,address,user_addresses,ref\n";
  const honest = `1,${REAL},${REAL},`;
  const imitation = `1,${FAKE},${REAL},`;

  test("a row without line end waits, also where only its ref grows, and is screened once it is whole", async () => {
    const { file, out } = await inputOf("events.csv", `${head}${honest}a\n${honest}order-1`);
    const first = await screen(file, out);
    expect(first.stdout).toMatch(
      /^waiting: line 3 has no line end and may still grow; it was not screened\. Run again/m,
    );
    expect([first.status, await outcomesIn(out)]).toEqual([2, ["2 ALLOW"]]);

    await appendFile(file, `2\n${imitation}b\n`);
    const second = await screen(file, out);

    expect([second.status, await outcomesIn(out)]).toEqual([0, ["2 ALLOW", "3 ALLOW", "4 BLOCK"]]);
    expect((await verdictsIn(out)).map(({ ref }) => ref)).toEqual(["a", "order-12", "b"]);
    expect((await run(["audit", "--dir", out])).status).toBe(0);
  });

  test("all lines of a quoted cell wait until it is closed, and so does a row that was cut behind it", async () => {
    const whole = `${head}${honest}a\n"1",${FAKE},"${REAL}\n\n${REAL}",three\n${honest}c\n`;
    const { file, out } = await inputOf("events.csv", "");
    for (const [end, lines] of [
      [`\n${REAL}`, "lines 3 to 4 are"],
      [`${REAL}",`, "lines 3 to 5 are"],
      [",three", "lines 3 to 5 are"],
    ] as const) {
      await writeFile(file, whole.slice(0, whole.lastIndexOf(end) + 1));
      const { status, stdout } = await screen(file, out);
      expect([status, await outcomesIn(out)]).toEqual([2, ["2 ALLOW"]]);
      expect(stdout).toContain(
        `waiting: ${lines} a row that is not complete (a quote in it opens a cell over several lines); `,
      );
    }

    await writeFile(file, whole);

    expect([(await screen(file, out)).status, await outcomesIn(out)]).toEqual([0, ["2 ALLOW", "3 BLOCK", "6 ALLOW"]]);
  });

  test("with --finished the last row is screened, and a later run without it says what to do", async () => {
    const { file, out } = await inputOf("events.csv", `${head}${honest}a\n${imitation}b`);
    const finished = ["screen", file, "--out", out, "--finished"];
    expect([(await run(finished)).status, await outcomesIn(out)]).toEqual([0, ["2 ALLOW", "3 BLOCK"]]);
    expect((await run(finished)).stdout).toContain("resumed: 2 of them");

    const { status, stderr } = await screen(file, out);

    expect([status, await outcomesIn(out)]).toEqual([1, ["2 ALLOW", "3 BLOCK"]]);
    expect(stderr).toContain(
      "the end of the input was screened here before and may still grow (line 3): give --finished if nothing more comes",
    );
  });

  test("a last row that differs is refused as before", async () => {
    const { file, out } = await inputOf("events.csv", `${head}${honest}a\n`);
    await screen(file, out);
    await writeFile(file, `${head}${imitation}a\n`);

    const { status, stderr } = await screen(file, out);

    expect([status, await outcomesIn(out)]).toEqual([1, ["2 ALLOW"]]);
    expect(stderr).toMatch(/line 2 is not what was screened here before/);
  });

  test("the end of a pipe is final: what is cut there is malformed", async () => {
    const { out } = await inputOf("events.csv", "");

    const csv = await run(["screen", "-", "--out", out], {}, `${head}${honest}a\n${imitation}b`);
    expect([csv.status, await outcomesIn(out)]).toEqual([0, ["2 ALLOW", "3 BLOCK"]]);
    const json = await run(["screen", "-", "--out", `${out}2`], {}, ndjson(genuine, lookalike).slice(0, -30));
    expect([json.status, await outcomesIn(`${out}2`)]).toEqual([2, ["1 ALLOW", "2 UNKNOWN"]]);
  });

  test("a file that standard input is redirected from may grow like any other", async () => {
    const { file } = await inputOf("events.csv", `${head}${honest}a\n${imitation}b`);
    const redirected = openSync(file, "r");
    const { status, stdout } = spawnSync(process.execPath, ["src/cli/main.ts", "plan", "-", "--json"], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"] },
      stdio: [redirected, "pipe", "inherit"],
    });
    closeSync(redirected);

    expect([status, JSON.parse(stdout)]).toMatchObject([2, { events: 1, waiting_lines: { from: 3, to: 3 } }]);
  });

  test("a plan leaves out what waits, and says so", async () => {
    const { file } = await inputOf("events.csv", `${head}${honest}a\n${imitation}b`);

    const plan = await run(["plan", file]);
    expect(plan.stdout).toMatch(/^waiting {3}line 3 has no line end and may still grow; it was not planned\. /m);
    const [json, finished] = [await run(["plan", file, "--json"]), await run(["plan", file, "--json", "--finished"])];
    expect([plan.status, json.status, finished.status]).toEqual([2, 2, 0]);
    expect(JSON.parse(json.stdout)).toMatchObject({ events: 1, waiting_lines: { from: 3, to: 3 } });
    expect(JSON.parse(finished.stdout)).toMatchObject({ events: 2, waiting_lines: null });
  });
});

test("a packed file that is cut ends the run, and the whole file goes on in its directory", async () => {
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
