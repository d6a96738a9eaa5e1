import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { type ShowVerdictsFlags, show } from "../../../../src/cli/show/show.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { unanswered, verdictAt } from "../../../fakes/verdicts.ts";
import { emptyFolder } from "../../../support/folder.ts";
import { verdictFolder } from "../../../support/verdict-folder.ts";

const none: ShowVerdictsFlags = { decision: [], finding: [], chain: [], address: [], line: [], color: true };
const withDecision = (line: number, decision: Verdict["decision"]): Verdict => ({ ...verdictAt(line), decision });

async function showing(folder: string, flags: Partial<ShowVerdictsFlags> = {}) {
  let text = "";
  const notes: string[] = [];
  const write = async (more: string) => {
    text += more;
  };
  const signal = new AbortController().signal;
  const output = { isTTY: true, write };
  const status = await show(folder, { ...none, ...flags }, {}, signal, output, (line) => notes.push(line));
  return { status, text, notes, firsts: text.match(/^\S.*$/gm) ?? [] };
}

test("verdicts come by severity, then by line, and ALLOW is left out", async () => {
  const folder = await verdictFolder([
    withDecision(9, "WARN"),
    withDecision(30, "BLOCK"),
    verdictAt(1),
    withDecision(4, "BLOCK"),
    withDecision(2, "UNKNOWN"),
  ]);

  const { firsts, notes, status } = await showing(folder, { color: false });

  expect(firsts.map((line) => line.slice(0, 16))).toEqual([
    ...["BLOCK   line 4  ", "BLOCK   line 30 ", "UNKNOWN line 2  ", "WARN    line 9  "],
  ]);
  expect(notes).toEqual([expect.stringContaining("4 verdicts shown of 5 in")]);
  expect(notes[0]).toContain("ALLOW is left out: --decision allow shows it");
  expect(status).toBe(0);
});

test("a verdict that a later revision replaces is left out", async () => {
  const folder = await verdictFolder([unanswered(1), { ...withDecision(1, "BLOCK"), revision: 1 }, unanswered(2)]);

  const { firsts } = await showing(folder, { color: false });

  expect(firsts.map((line) => line.slice(0, 14))).toEqual(["BLOCK   line 1", "UNKNOWN line 2"]);
});

test("--json prints the lines of the log", async () => {
  const verdicts = [withDecision(2, "WARN"), withDecision(1, "BLOCK")];
  const { text } = await showing(await verdictFolder(verdicts), { json: true });

  expect(text).toBe(`${JSON.stringify(verdicts[1])}\n${JSON.stringify(verdicts[0])}\n`);
});

test("--csv prints a table, with the columns of ref beside the row and no formula", async () => {
  const rows = [
    { ...withDecision(1, "BLOCK"), ref: { desk: "=cmd()" } },
    { ...withDecision(2, "BLOCK"), ref: "a note" },
  ];
  const { text } = await showing(await verdictFolder(rows), { csv: true });

  expect(parse(text, { columns: true })).toMatchObject([
    { decision: "BLOCK", file: "events.ndjson", line: "1", "ref.desk": "'=cmd()", ref: "" },
    { decision: "BLOCK", line: "2", "ref.desk": "", ref: "a note" },
  ]);
});

test("a terminal gets colours, unless --no-color is given", async () => {
  const folder = await verdictFolder([withDecision(1, "BLOCK")]);

  expect((await showing(folder)).text).toContain("\u001b[31mBLOCK");
  expect((await showing(folder, { color: false })).text).not.toContain("\u001b");
});

test("a line that is no verdict and a cut last line are reported", async () => {
  const folder = await verdictFolder([withDecision(1, "BLOCK")], '{"no":"verdict"}\n{"schema":"weir.ver');

  const { status, notes, firsts } = await showing(folder);

  expect(firsts.length + notes.length).toBeGreaterThan(2);
  expect(notes[1]).toMatch(/1 of its lines hold no verdict, first line 2/);
  expect(notes[2]).toMatch(/the last line has no end and is left out/);
  expect(status).toBe(2);
});

test("a folder without verdicts is refused", async () => {
  await expect(showing(await emptyFolder())).rejects.toThrow(/no verdicts\.ndjson in it: name the folder of a run/);
});

test("--csv and --json exclude each other", async () => {
  await expect(showing(await emptyFolder(), { csv: true, json: true })).rejects.toThrow(/give one of the two/);
});
