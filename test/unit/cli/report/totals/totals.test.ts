import { describe, expect, test } from "vitest";
import { CountTable, OTHERS } from "../../../../../src/cli/report/totals/count-table.ts";
import { RequestFill } from "../../../../../src/cli/report/totals/request-fill.ts";
import { TimeSeries } from "../../../../../src/cli/report/totals/time-series.ts";
import { Totals } from "../../../../../src/cli/report/totals/totals.ts";
import { factsOf } from "../../../../../src/cli/report/totals/verdict-facts.ts";
import type { CheckEntry, Verdict } from "../../../../../src/messages/verdict.ts";
import { unanswered, verdictAt } from "../../../../fakes/verdicts.ts";

const blocked: Verdict = {
  ...verdictAt(3),
  tenant: "desk",
  decision: "BLOCK",
  subject: { type: "address", chain_id: "1", address: "0x00" },
  reasons: [
    { check: "poisoning", finding: "mimics_user", severity: "BLOCK", detail: "" },
    { check: "listed", finding: "listed_sanctioned", severity: "BLOCK", detail: "" },
  ],
  checks: [
    {
      check: "listed",
      outcome: "ok",
      cached: false,
      attempts: 0,
      data: {
        matches: [
          {
            address: "0x00",
            standing: "sanctioned",
            kind: "sanctioned",
            chain: "evm",
            name: "a",
            list: listOf("a.csv"),
          },
          {
            address: "0x00",
            standing: "sanctioned",
            kind: "sanctioned",
            chain: "evm",
            name: "b",
            list: listOf("a.csv"),
          },
          { address: "0x00", standing: "blocked", kind: "malicious", chain: "evm", name: "c" },
        ],
      },
    },
  ],
};

function listOf(name: string) {
  return { name, sha256: "00", date: "2026-01-01", loaded_at: "2026-01-01T00:00:00.000Z" };
}

test("a verdict counts once by its decision, each finding, chain, tenant and list", () => {
  const totals = new Totals();
  for (const verdict of [blocked, blocked, verdictAt(1), unanswered(2)]) totals.add(factsOf(verdict));

  expect(totals.byDecision).toEqual({ ALLOW: 1, WARN: 0, UNKNOWN: 1, BLOCK: 2 });
  const counts = (table: CountTable) => table.rows().map(({ name, events }) => [name, events]);
  expect(counts(totals.findings)).toEqual([
    ["listed: listed_sanctioned", 2],
    ["poisoning: mimics_user", 2],
  ]);
  expect(counts(totals.chains)).toEqual([
    ["(no chain)", 2],
    ["Ethereum", 2],
  ]);
  expect(counts(totals.tenants)).toEqual([
    ["(no tenant)", 2],
    ["desk", 2],
  ]);
  expect(counts(totals.lists)).toEqual([
    ["a.csv", 2],
    ["labels of Weir", 2],
  ]);
  expect(totals.chains.rows()[1]?.byDecision.BLOCK).toBe(2);
});

test("failures name the first event and its cause", () => {
  const totals = new Totals();
  for (const verdict of [unanswered(8), unanswered(9)]) totals.add(factsOf(verdict));

  expect(totals.failures()).toEqual([{ code: "SERVICE_UNAVAILABLE", events: 2, position: "line 8", detail: "503" }]);
});

test("names beyond the bound are counted together", () => {
  const table = new CountTable(2);
  for (const name of ["a", "b", "c", "d", "a"]) table.add(name, "WARN");

  expect(table.rows().map(({ name, events }) => [name, events])).toEqual([
    [OTHERS, 2],
    ["a", 2],
    ["b", 1],
  ]);
});

describe("decisions over time", () => {
  const start = Date.parse("2026-01-01T00:00:00Z");

  test("spans without a verdict are there, and every verdict is in one span", () => {
    const series = new TimeSeries();
    series.add(start, "ALLOW");
    series.add(start + 3_500, "BLOCK");
    series.add(Number.NaN, "BLOCK");

    expect(series.spans().map(({ byDecision }) => [byDecision.ALLOW, byDecision.BLOCK])).toEqual([
      ...[
        [1, 0],
        [0, 0],
        [0, 0],
      ],
      [0, 1],
    ]);
  });

  test("spans grow wider, and lose no verdict, whatever the order", () => {
    const series = new TimeSeries();
    for (let i = 1_000; i >= 0; i--) series.add(start + i * 60_000, "WARN");
    series.add(start - 400 * 86_400_000, "WARN");

    const spans = series.spans();
    expect(spans.length).toBeLessThanOrEqual(80);
    expect(spans.reduce((sum, { byDecision }) => sum + byDecision.WARN, 0)).toBe(1_002);
  });

  test("the extreme dates of a clock fit", () => {
    const series = new TimeSeries();
    for (const at of [-8.64e15, 8.64e15]) series.add(at, "WARN");

    expect(series.spans().reduce((sum, { byDecision }) => sum + byDecision.WARN, 0)).toBe(2);
  });
});

describe("how full the requests were", () => {
  const entry = (at: number, own: Partial<CheckEntry> = {}): CheckEntry => ({
    check: "poisoning",
    outcome: "ok",
    cached: false,
    attempts: 1,
    requested_at: new Date(at).toISOString(),
    ...own,
  });

  test("entries with one time of request are one request; the cache and failures are none", () => {
    const fill = new RequestFill();
    for (let i = 0; i < 30; i++) fill.add(entry(1));
    fill.add(entry(1, { check: "classification" }));
    fill.add(entry(2));
    fill.add(entry(2, { cached: true }));
    fill.add(entry(3, { outcome: "failed" }));
    fill.add({ check: "listed", outcome: "ok", cached: false });

    expect(fill.rows()).toEqual([
      { check: "poisoning", entries: 31, cached: 1, requests: 2 },
      { check: "classification", entries: 1, cached: 0, requests: 1 },
    ]);
    expect(fill.sizes().filter(({ requests }) => requests > 0)).toEqual([
      { name: "1", requests: 2 },
      { name: "26 to 50", requests: 1 },
    ]);
  });

  test("far more requests than fit in memory are all counted", () => {
    const fill = new RequestFill();
    for (let i = 0; i < 12_000; i++) {
      fill.add(entry(i));
      fill.add(entry(i));
    }

    expect(fill.sizes().find(({ requests }) => requests > 0)).toEqual({ name: "2 to 5", requests: 12_000 });
  });
});
