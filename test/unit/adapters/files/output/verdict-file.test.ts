import { appendFile, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { VerdictFile } from "../../../../../src/adapters/files/output/verdict-file.ts";
import { OutputUnwritableError } from "../../../../../src/kernel/errors.ts";
import { sha256 } from "../../../../../src/kernel/hash.ts";
import type { CheckEntry, Verdict } from "../../../../../src/messages/verdict.ts";
import { unanswered, verdictAt } from "../../../../fakes/verdicts.ts";
import { emptyFolder } from "../../../../support/folder.ts";
import { heapUsed } from "../../../../support/heap-used.ts";

const newFile = async () => path.join(await emptyFolder(), "verdicts.ndjson");
const textOf = (...verdicts: readonly Verdict[]) => verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join("");

/** Opens, collects the existing verdicts, and closes. */
async function reopen(file: string, source = "events.ndjson") {
  const there: Verdict[] = [];
  const verdicts = await VerdictFile.open(file, source, (verdict) => there.push(verdict));
  await verdicts.close();
  return { there, settled: verdicts.settled };
}

test("a verdict is one line of the file once it is written", async () => {
  const file = await newFile();
  const verdicts = await VerdictFile.open(file, "events.ndjson", () => {});

  await verdicts.write(verdictAt(1));
  const first = await readFile(file, "utf8");
  await verdicts.write(verdictAt(2));
  await verdicts.close();

  expect(first).toBe(textOf(verdictAt(1)));
  expect(await readFile(file, "utf8")).toBe(textOf(verdictAt(1), verdictAt(2)));
});

test("many parallel writes give whole lines in their order", async () => {
  const file = await newFile();
  const verdicts = await VerdictFile.open(file, "events.ndjson", () => {});
  const all = Array.from({ length: 500 }, (_, i) => verdictAt(i + 1));

  await Promise.all(all.map((verdict) => verdicts.write(verdict)));
  await verdicts.close();

  expect(await readFile(file, "utf8")).toBe(textOf(...all));
});

test("a reopened file knows its completed lines, reports them, and is appended to", async () => {
  const file = await newFile();
  await writeFile(file, textOf(verdictAt(3), verdictAt(1)));
  const there: Verdict[] = [];

  const verdicts = await VerdictFile.open(file, "events.ndjson", (verdict) => there.push(verdict));
  await verdicts.write(verdictAt(2));
  await verdicts.close();

  expect(there).toEqual([verdictAt(3), verdictAt(1)]);
  const { settled } = verdicts;
  expect([1, 2, 3, 4].map((line) => settled.lookUp(line, sha256(String(line))))).toEqual([
    "settled",
    "open",
    "settled",
    "open",
  ]);
  expect([1, 2, 3, 4].map((line) => settled.owed(line))).toEqual(new Array(4).fill(undefined));
  expect(await readFile(file, "utf8")).toBe(textOf(verdictAt(3), verdictAt(1), verdictAt(2)));
});

test("backpressure begins when 16 MiB wait for a stalled disk, and ends once when there is room", async () => {
  const disk = Promise.withResolvers<void>();
  const told: [boolean, number][] = [];
  let count = 0;
  const verdicts = await VerdictFile.open(
    await newFile(),
    "events.ndjson",
    () => {},
    () => disk.promise,
    (isFull) => told.push([isFull, count]),
  );
  const large = { ...verdictAt(1), ref: "x".repeat(2 ** 20) };
  const written: Promise<void>[] = [];
  const write = () => {
    count++;
    written.push(verdicts.write(large));
  };

  // The first write is in progress while the others wait.
  write();
  await new Promise((resolve) => setImmediate(resolve));
  for (let i = 0; i < 20; i++) write();
  expect(told).toEqual([[true, 16]]);
  disk.resolve();
  await Promise.all(written);
  await verdicts.close();

  expect(told).toEqual([
    [true, 16],
    [false, 21],
  ]);
});

describe("an answer that the service failed to give is not complete", () => {
  test("its event is screened again, for the next revision", async () => {
    const file = await newFile();
    await writeFile(file, textOf(unanswered(1), verdictAt(2), unanswered(3), unanswered(3, 1)));

    const { there, settled } = await reopen(file);

    expect([1, 2, 3, 4].map((line) => settled.owed(line))).toEqual([
      { revision: 1, checks: [] },
      undefined,
      { revision: 2, checks: [] },
      undefined,
    ]);
    expect(there).toEqual([verdictAt(2)]);
    expect(settled.size).toBe(3);
  });

  const known: CheckEntry = { check: "token-security", outcome: "ok", cached: false, attempts: 1, data: { a: 1 } };
  const partly = (line: number, revision = 0, answer = known): Verdict => {
    const verdict = unanswered(line, revision);
    return { ...verdict, checks: [...verdict.checks, answer] };
  };

  test("its present answers are kept from the last verdict", async () => {
    const file = await newFile();
    const later = { ...known, data: { a: 2 } };
    await writeFile(file, textOf(partly(1), partly(1, 1, later), partly(2), unanswered(2, 1)));

    const { settled } = await reopen(file);

    expect([1, 2].map((line) => settled.owed(line))).toEqual([
      { revision: 2, checks: [later] },
      { revision: 2, checks: [] },
    ]);
  });

  test("answers are kept for ten thousand lines, and further lines are only known to need a repeat", async () => {
    const file = await newFile();
    const count = 10_002;
    const all = Array.from({ length: count }, (_, i) => partly(i + 1));
    await writeFile(file, textOf(...all, { ...verdictAt(1), revision: 1 }, partly(count, 1)));

    const { settled } = await reopen(file);

    const owed = Array.from({ length: count + 1 }, (_, line) => settled.owed(line));
    expect(owed.slice(0, 2)).toEqual([undefined, undefined]);
    expect(owed.slice(2, 10_001)).toEqual(new Array(9_999).fill({ revision: 1, checks: [known] }));
    expect(owed.slice(10_001)).toEqual([
      { revision: 1, checks: [] },
      { revision: 2, checks: [known] },
    ]);
  });

  test("lines that are only known to need a repeat take eight bytes each, in pages", async () => {
    const file = await newFile();
    const count = 30_000;
    await writeFile(file, textOf(...Array.from({ length: count }, (_, i) => unanswered(i + 1))));
    // Allocations that do not depend on the content are not counted.
    await reopen(file);
    const before = await heapUsed();

    const verdicts = await VerdictFile.open(file, "events.ndjson", () => {});
    const taken = (await heapUsed()) - before;
    await verdicts.close();

    expect([1, count].map((line) => verdicts.settled.owed(line)?.revision)).toEqual([1, 1]);
    expect(taken).toBeLessThan(500_000);
  });

  test("is complete once a later revision has the answer", async () => {
    const file = await newFile();
    await writeFile(file, textOf(unanswered(1), { ...verdictAt(1), revision: 1 }));

    const { there, settled } = await reopen(file);

    expect(settled.owed(1)).toBeUndefined();
    expect(there).toEqual([{ ...verdictAt(1), revision: 1 }]);
  });
});

test("a new file and an empty file hold no verdicts", async () => {
  const file = await newFile();

  expect(await reopen(file)).toMatchObject({ there: [] });
  const { there, settled } = await reopen(file);
  expect([there, settled.size]).toEqual([[], 0]);
  expect(await readFile(file, "utf8")).toBe("");
});

describe("a torn last line after a kill is cut off", () => {
  const whole = textOf(verdictAt(1), verdictAt(2));
  const last = JSON.stringify(verdictAt(3));

  test.each([
    ["of one byte", last.slice(0, 1)],
    ["of half a line", last.slice(0, 100)],
    ["with half a character", Buffer.from(last).subarray(0, Buffer.from(last).indexOf("é") + 1)],
    ["of which only the line end is missing", last],
  ])("%s", async (_name, torn) => {
    const file = await newFile();
    await writeFile(file, whole);
    await appendFile(file, torn);

    const { there } = await reopen(file);

    expect(there).toEqual([verdictAt(1), verdictAt(2)]);
    expect(await readFile(file, "utf8")).toBe(whole);
  });

  test("the file is empty again when it held nothing else", async () => {
    const file = await newFile();
    await writeFile(file, last.slice(0, 50));

    expect((await reopen(file)).there).toEqual([]);
    expect(await readFile(file, "utf8")).toBe("");
  });
});

describe("a file of another run is refused and left unchanged", () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    [
      "of another input",
      textOf(verdictAt(1, { file: "other.csv", line: 1 })),
      /holds the verdicts of "other\.csv", not of "events\.ndjson": choose another --out$/,
    ],
    [
      "of a topic",
      textOf(verdictAt(1, { topic: "screening.events", partition: 0, offset: "5" })),
      /holds the verdicts of "screening\.events", not of "events\.ndjson": choose another --out$/,
    ],
    ["of text", "hello\nworld\n", /verdicts\.ndjson line 1 is not a verdict: choose another --out$/],
    ["of JSON that is no verdict", "{}\n", /line 1 is not a verdict: choose another --out$/],
    ["with a blank line", `${textOf(verdictAt(1))}\n`, /line 2 is not a verdict: choose another --out$/],
    [
      "with garbage between its lines",
      `${textOf(verdictAt(1))}xx${textOf(verdictAt(2))}`,
      /line 2 is not a verdict: choose another --out$/,
    ],
    [
      "with another schema",
      textOf({ ...verdictAt(1), schema: "weir.verdict/2" as "weir.verdict/1" }),
      /line 1 is not a verdict: choose another --out$/,
    ],
    [
      "whose line ends somebody changed",
      textOf(verdictAt(1), verdictAt(2)).replaceAll("\n", "\r\n"),
      /was changed since it was written: choose another --out$/,
    ],
  ];

  test.each(cases)("%s", async (_name, content, message) => {
    const file = await newFile();
    await writeFile(file, content);

    await expect(reopen(file)).rejects.toBeInstanceOf(OutputUnwritableError);
    await expect(reopen(file)).rejects.toThrow(message);
    expect(await readFile(file, "utf8")).toBe(content);
  });
});

test("a file that cannot be opened is reported", async () => {
  await expect(reopen("/nowhere/verdicts.ndjson")).rejects.toThrow(/^cannot write \/nowhere\/verdicts\.ndjson: ENOENT/);
  await expect(reopen(await emptyFolder())).rejects.toThrow(/^cannot write .*: EISDIR/);
});

test.runIf(process.platform === "linux")(
  "after a failed write nothing more is written: a torn line must stay the last one",
  async () => {
    const verdicts = await VerdictFile.open("/dev/full", "events.ndjson", () => {});

    const first = verdicts.write(verdictAt(1));
    const second = verdicts.write(verdictAt(2));

    await expect(first).rejects.toBeInstanceOf(OutputUnwritableError);
    await expect(first).rejects.toThrow(/^cannot write verdicts\.ndjson: ENOSPC/);
    await expect(second).rejects.toBe(await first.catch((error: unknown) => error));
    await expect(verdicts.write(verdictAt(3))).rejects.toBe(await first.catch((error: unknown) => error));
    await expect(verdicts.write(verdictAt(4))).rejects.toBe(await first.catch((error: unknown) => error));
    await expect(verdicts.close()).rejects.toThrow();
  },
);

describe("a file that another process has taken", () => {
  const error = new OutputUnwritableError("out was taken over");
  const refuse = () => Promise.reject(error);

  test("gets no waiting lines, and no flush succeeds on it", async () => {
    const file = await newFile();
    let confirm: () => Promise<void> = async () => {};
    const verdicts = await VerdictFile.open(
      file,
      "events.ndjson",
      () => {},
      () => confirm(),
    );
    await verdicts.write(verdictAt(1));
    confirm = refuse;

    await expect(verdicts.write(verdictAt(2))).rejects.toBe(error);
    await expect(verdicts.write(verdictAt(3))).rejects.toBe(error);
    await expect(verdicts.keep()).rejects.toBe(error);
    await verdicts.close();

    expect(await readFile(file, "utf8")).toBe(textOf(verdictAt(1)));
  });

  test("keeps its last line, which looks torn while the other process writes it", async () => {
    const file = await newFile();
    const torn = `${textOf(verdictAt(1))}{"schema"`;
    await writeFile(file, torn);

    await expect(VerdictFile.open(file, "events.ndjson", () => {}, refuse)).rejects.toBe(error);

    expect(await readFile(file, "utf8")).toBe(torn);
  });
});

test("a reader learns the length of the file, then its end", async () => {
  const file = await newFile();
  await writeFile(file, textOf(verdictAt(1)));
  const verdicts = await VerdictFile.open(file, "events.ndjson", () => {});
  const before = Buffer.byteLength(textOf(verdictAt(1)));
  const large = { ...verdictAt(2), ref: "é".repeat(600_000) };

  await verdicts.write(large);
  const size = await verdicts.tail.beyond(before);
  await verdicts.keep();
  await verdicts.close();
  await verdicts.keep();

  expect(size).toBe(before + Buffer.byteLength(textOf(large)));
  expect(await verdicts.tail.beyond(size ?? 0)).toBe(undefined);
});
