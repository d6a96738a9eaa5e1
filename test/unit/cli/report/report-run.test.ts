import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import readSheets from "read-excel-file/node";
import { describe, expect, test } from "vitest";
import { reportRun } from "../../../../src/cli/report/report-run.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { unanswered, verdictAt } from "../../../fakes/verdicts.ts";
import { verdictFolder } from "../../../support/verdict-folder.ts";

const fake = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
const real = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const blocked: Verdict = {
  ...verdictAt(3),
  decision: "BLOCK",
  subject: { type: "address", chain_id: "1", address: fake, user_addresses: [real] },
  reasons: [{ check: "poisoning", finding: "mimics_user", severity: "BLOCK", detail: "alike", resembles: real }],
};

async function reporting(verdicts: readonly Verdict[], end = "") {
  const dir = await verdictFolder(verdicts, end);
  const { signal } = new AbortController();
  const { facts } = await reportRun({ dir, out: dir, clock: new FakeClock(), software: "weir/test", signal });
  const read = (name: string) => readFileSync(path.join(dir, name));
  return { dir, facts, read, page: read("report.html").toString() };
}

test("the page, the CSV and the XLSX hold the rows that need a person, most severe first", async () => {
  const { page, read, facts } = await reporting([
    { ...verdictAt(9), decision: "WARN" },
    unanswered(2),
    verdictAt(1),
    { ...blocked, ref: { desk: "Zürich", amount: 5 } },
  ]);

  const rows: Readonly<Record<string, string>>[] = parse(read("report.csv"), { columns: true });
  expect(rows.map(({ decision, line }) => [decision, line])).toEqual([
    ["BLOCK", "3"],
    ["UNKNOWN", "2"],
    ["WARN", "9"],
  ]);
  expect(rows[0]).toMatchObject({ address: fake, resembles: real, "ref.desk": "Zürich", "ref.amount": "5" });
  const sheets = await readSheets(read("report.xlsx"));
  expect(sheets.map(({ sheet }) => sheet)).toEqual(["Needs a person", "Totals", "Not screened"]);
  expect(sheets[0]?.data.slice(1).map(([decision]) => decision)).toEqual(["BLOCK", "UNKNOWN", "WARN"]);
  expect([...page.matchAll(/<th scope="row" class="(\w+)">/g)].map(([, decision]) => decision)).toEqual([
    ...["BLOCK", "UNKNOWN", "WARN"],
  ]);
  expect(page).toContain("^^^^                              ^^^^^^  4+6 characters equal");
  expect(page).toContain('<th scope="col">ref.desk</th>');
  expect(facts.totals.events).toBe(4);
});

test("only the latest revision counts, and the earlier ones are counted apart", async () => {
  const { facts, page, read } = await reporting([
    unanswered(1),
    unanswered(1, 1),
    { ...blocked, verdict_id: verdictAt(1).verdict_id, revision: 2 },
    unanswered(2),
    { ...verdictAt(2), revision: 1 },
  ]);

  expect(facts.totals.byDecision).toEqual({ ALLOW: 1, WARN: 0, UNKNOWN: 0, BLOCK: 1 });
  expect([facts.interim, facts.needPerson]).toEqual([3, 1]);
  expect(facts.totals.failures()).toEqual([]);
  expect(page).toContain("3 earlier verdicts were replaced by later revisions and are not counted.");
  expect(parse(read("report.csv"), { columns: true })).toHaveLength(1);
});

test("the page names the hash of the verdicts and of both tables", async () => {
  const { page, read } = await reporting([blocked, verdictAt(1)]);

  for (const name of ["verdicts.ndjson", "report.csv", "report.xlsx"])
    expect(page, name).toContain(createHash("sha256").update(read(name)).digest("hex"));
});

test("nothing but the report is left in the folder", async () => {
  const { dir } = await reporting([blocked]);

  expect(readdirSync(dir).toSorted()).toEqual(["report.csv", "report.html", "report.xlsx", "verdicts.ndjson"]);
});

test("lines that are no verdict are named on the page", async () => {
  const { page, facts } = await reporting([verdictAt(1)], "no verdict\ncut");

  expect(page).toContain("1 of its lines hold no verdict, first line 2");
  expect(page).toContain("the last line has no end and is left out");
  expect(facts.totals.events).toBe(1);
});

test("an empty run gives a whole report", async () => {
  const { page, read } = await reporting([]);

  expect(page).toContain("No row needs a person.");
  expect(parse(read("report.csv"), { columns: true })).toEqual([]);
});

describe("text of an event", () => {
  const hostile = `</pre><script>alert(1)</script><img src=x onerror=alert(1)>"' onmouseover="alert(1)`;
  const everywhere: Verdict = {
    ...verdictAt(1),
    event_id: hostile,
    tenant: hostile,
    decision: "UNKNOWN",
    subject: { type: "address", chain_id: hostile, address: hostile, token_address: hostile },
    reasons: [{ check: "poisoning", finding: hostile, severity: "UNKNOWN", detail: hostile, resembles: hostile }],
    checks: [
      {
        check: "poisoning",
        outcome: "failed",
        cached: false,
        attempts: 1,
        error: { code: "ANSWER_INVALID", detail: hostile },
      },
      {
        check: "classification",
        outcome: "ok",
        cached: false,
        attempts: 1,
        requested_at: hostile,
        data: { address_type: hostile },
      },
    ],
    policy: { id: hostile, sha256: hostile },
    lists: hostile,
    source: { file: hostile, line: 1 },
    ref: { [hostile]: hostile },
    software: hostile,
    decided_at: hostile,
  };

  test("adds no element and no attribute to the page", async () => {
    const { page } = await reporting([everywhere]);
    const plain = await reporting([{ ...everywhere, ...plainTexts }]);
    const tagsOf = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));

    expect(page).toContain("&lt;script&gt;");
    expect(tagsOf(page)).toEqual(tagsOf(plain.page));
  });

  const plainTexts: Partial<Verdict> = {
    event_id: "x",
    tenant: "x",
    subject: { type: "address", chain_id: "x", address: "x", token_address: "x" },
    reasons: [{ check: "poisoning", finding: "x", severity: "UNKNOWN", detail: "x", resembles: "x" }],
    policy: { id: "x", sha256: "x" },
    lists: "x",
    source: { file: "x", line: 1 },
    ref: { x: "x" },
    software: "x",
  };

  test("stays a text in a spreadsheet", async () => {
    const formula = "=HYPERLINK(A1)";
    const { read } = await reporting([{ ...everywhere, event_id: formula, tenant: formula, ref: { a: formula } }]);

    expect(parse(read("report.csv"), { columns: true })).toMatchObject([
      { event_id: `'${formula}`, tenant: `'${formula}`, "ref.a": `'${formula}` },
    ]);
    const [sheet] = await readSheets(read("report.xlsx"));
    expect(sheet?.data[1]).toContain(formula);
  });
});
