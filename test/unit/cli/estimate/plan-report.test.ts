import { expect, test } from "vitest";
import { planLine, planLines } from "../../../../src/cli/estimate/plan-report.ts";
import type { ForecastResult } from "../../../../src/worker/estimate/forecast.ts";

const none = { questions: 0, distinct: 0, isExact: true, requests: 0 };
const nothing = {
  poisoning: none,
  "token-security": none,
  classification: none,
  "solana-simulation": none,
  "tron-security": none,
  "evm-security": none,
};
const forecast: ForecastResult = {
  events: 5_004,
  unreadable: 1,
  firstUnreadable: "line 7: not valid JSON",
  asking: 5_000,
  settled: 3,
  failures: new Map([
    ["CHAIN_UNSUPPORTED", 1],
    ["ADDRESS_INVALID", 1],
  ]),
  lacking: new Map(),
  required: {
    ...nothing,
    poisoning: { questions: 5_000, distinct: 4_800, isExact: false, requests: 20 },
    "tron-security": { questions: 40, distinct: 40, isExact: true, requests: 40 },
  },
  optional: { ...nothing, classification: { questions: 5_000, distinct: 4_800, isExact: true, requests: 4_800 } },
  receivers: 7,
  confirmations: 4_790,
  unpooled: 4_806,
};
const memory = { base: 195, answers: 8, events: 64 };
const unread = { fields: [], beyond: 0 };
const ofac = {
  name: "ofac.csv",
  sha256: "5".repeat(64),
  date: "2026-11-20",
  loadedAt: "",
  entries: 5,
  refused: [],
  unread: [],
};
const lists = [ofac];
const pace = { perSecond: 10, from: "--quota" };

test("the report shows questions, requests, time and cost of each check, and the optional additions", () => {
  expect(planLines({ forecast, pace, price: 0.002, memory, unread, lists, behindTransactions: 0 })).toEqual([
    "5004 records: 1 are no events, 3 are settled without asking (1 CHAIN_UNSUPPORTED, 1 ADDRESS_INVALID), 5000 need the service",
    "the first that is no event: line 7: not valid JSON",
    "",
    "                       questions   different    requests            time        cost",
    "  poisoning                 5000       ~4800          20             2 s        0.04",
    "  tron-security               40          40          40             4 s        0.08",
    "",
    "requests  60, if the service flags none of them, delays nothing and fails nothing",
    "time      6 s at 10 requests a second (--quota)",
    "cost      0.12",
    "if it flags all: 4850 requests, 8 min 5 s, 9.7; 4790 more, since each that it is asked about in company",
    "          is asked about again by itself, or with others of the same users",
    "if it cannot be pooled: 4846 requests, 8 min 5 s, 9.692, since the service flags no lookalike that is made to try it,",
    "          or whatever it is asked about: each address is asked about by itself",
    "memory    about 267 MiB at most, however long the input is: 195 itself, 8 of answers, 64 of events in work",
    "list      ofac.csv of 2026-11-20 (5 entries)",
    "",
    "To find out which lookalikes the service flags is counted. Beyond that: one for each time that a token's analysis",
    "is not finished; and up to four for what fails.",
    "Whoever receives by a simulated transaction is asked about, too: of 7 accounts as many as do, and whom",
    "the service flags among them once more.",
    "",
    "not asked by the policy; each would add:",
    "                       questions   different    requests            time        cost",
    "  classification            5000        4800        4800       8 min 0 s         9.6",
  ]);
});

test("unknown values are shown, with the flag to set them", () => {
  const lines = planLines({
    forecast: { ...forecast, optional: nothing, receivers: 0 },
    pace: { perSecond: undefined },
    price: undefined,
    memory,
    unread,
    lists,
    behindTransactions: 0,
  });

  expect(lines.slice(3, 14)).toEqual([
    "                       questions   different    requests",
    "  poisoning                 5000       ~4800          20",
    "  tron-security               40          40          40",
    "",
    "requests  60, if the service flags none of them, delays nothing and fails nothing",
    "time      unknown: say how fast the key may ask, as --quota 50/1s",
    "cost      unknown: say what a request costs, as --price 0.001",
    "if it flags all: 4850 requests; 4790 more, since each that it is asked about in company",
    "          is asked about again by itself, or with others of the same users",
    "if it cannot be pooled: 4846 requests, since the service flags no lookalike that is made to try it,",
    "          or whatever it is asked about: each address is asked about by itself",
  ]);
  expect(lines).toHaveLength(19);
});

test("lists to screen with are shown, and none are included", () => {
  const own = {
    ...ofac,
    name: "own.csv",
    entries: 1,
    refused: [{ line: 3, detail: "kind: missing" }],
    unread: ["source"],
  };
  const report = { forecast, pace, price: undefined, memory, unread, lists: [ofac, own], behindTransactions: 0 };

  expect(planLines(report).filter((line) => line.startsWith("list"))).toEqual([
    "list      ofac.csv of 2026-11-20 (5 entries)",
    "list      own.csv of 2026-11-20 (1 entry; 1 row refused, first line 3: kind: missing; not read: source)",
  ]);
  expect(planLines({ ...report, lists: [] })).toContain("list      none: LISTS_FILES and LABELS_FILES name no file");
  expect(JSON.parse(planLine(report)).lists).toEqual([
    { name: "ofac.csv", sha256: ofac.sha256, date: "2026-11-20", entries: 5, refused: 0, columns_not_read: [] },
    { name: "own.csv", sha256: ofac.sha256, date: "2026-11-20", entries: 1, refused: 1, columns_not_read: ["source"] },
  ]);
});

test("missing operations of the service are shown, with the events that need each", () => {
  const lacking = new Map([["token-security", 2] as const, ["solana-emulate", 1] as const]);
  const report = {
    forecast: { ...forecast, lacking },
    pace,
    price: undefined,
    memory,
    unread,
    lists,
    behindTransactions: 0,
  };

  expect(planLines(report).filter((line) => line.startsWith("missing"))).toEqual([
    "missing   token-security: 2 events need this operation, which SERVICE_DIALECT or SERVICE_ADAPTER leaves out: UNKNOWN, or stricter",
    "missing   solana-emulate: 1 event needs this operation, which SERVICE_DIALECT or SERVICE_ADAPTER leaves out: UNKNOWN, or stricter",
  ]);
  expect(JSON.parse(planLine(report)).missing_operations).toEqual({ "token-security": 2, "solana-emulate": 1 });
});

test("without batches the report has no second case", () => {
  const lines = planLines({
    forecast: { ...forecast, confirmations: 0, unpooled: 20 },
    pace,
    price: 0.002,
    memory,
    unread,
    lists,
    behindTransactions: 0,
  });

  expect(lines.filter((line) => line.startsWith("if it"))).toEqual([]);
});

test("a JSON object has the same content, with null for unknown values", () => {
  const told = JSON.parse(planLine({ forecast, pace, price: 0.002, memory, unread, lists, behindTransactions: 0 }));
  const untold = JSON.parse(
    planLine({
      forecast,
      pace: { perSecond: undefined },
      price: undefined,
      memory,
      unread,
      lists,
      behindTransactions: 0,
    }),
  );

  expect(told).toMatchObject({
    events: 5_004,
    unreadable: 1,
    first_unreadable: "line 7: not valid JSON",
    asking: 5_000,
    settled_without_asking: 3,
    settled_as: { CHAIN_UNSUPPORTED: 1, ADDRESS_INVALID: 1 },
    requests: 60,
    possible_receivers: 7,
    requests_per_second: 10,
    pace_from: "--quota",
    pace_unknown: null,
    seconds: 6,
    cost: 0.12,
    if_all_is_flagged: { requests: 4_850, confirmations: 4_790, seconds: 485, cost: 4_850 * 0.002 },
    if_nothing_is_pooled: { requests: 4_846, seconds: 484.6, cost: 4_846 * 0.002 },
    memory_mib: 267,
  });
  expect(told.checks.poisoning).toEqual({ questions: 5_000, distinct: 4_800, distinct_is_exact: false, requests: 20 });
  expect(told.optional.classification.requests).toBe(4_800);
  expect([untold.requests_per_second, untold.seconds, untold.cost]).toEqual([null, null, null]);
  expect(untold.if_nothing_is_pooled).toEqual({ requests: 4_846, seconds: null, cost: null });
  expect(untold.if_all_is_flagged).toEqual({ requests: 4_850, confirmations: 4_790, seconds: null, cost: null });
});

test("an unused learned quota is shown with the reason", () => {
  const pace = { perSecond: undefined, why: "what out/quota.json keeps was learned of another key" };
  const report = { forecast, pace, price: undefined, memory, unread, lists, behindTransactions: 0 };

  expect(planLines(report)).toContain(
    "time      unknown: say how fast the key may ask, as --quota 50/1s (what out/quota.json keeps was learned of another key)",
  );
  expect(JSON.parse(planLine(report))).toMatchObject({ pace_from: null, pace_unknown: pace.why });
});

test("unread addresses are shown after bad records, and in the JSON", () => {
  const memo = {
    name: "memo",
    kind: "column",
    isTelling: false,
    mayBeHash: false,
    meant: "users",
    events: 3,
    first: "line 2",
  } as const;
  const from = {
    name: "From",
    kind: "column",
    isTelling: true,
    mayBeHash: false,
    meant: "users",
    events: 1,
    first: "line 4",
  } as const;
  const report = {
    forecast,
    behindTransactions: 0,
    pace,
    price: undefined,
    memory,
    unread: { fields: [memo, from], beyond: 5 },
    lists,
  };

  expect(planLines(report).slice(2, 6)).toEqual([
    expect.stringMatching(/^column memo is not read and holds addresses in 3 events, first in line 2: /),
    expect.stringMatching(/^column From is not read .* 1 event, first in line 4; that event is refused: /),
    "and 5 more in other fields, which are not listed",
    "",
  ]);
  expect(JSON.parse(planLine(report))).toMatchObject({
    unread_addresses: [
      { column: "memo", events: 3, first: "line 2", refused: false, may_be_hashes: false },
      { column: "From", events: 1, first: "line 4", refused: true, may_be_hashes: false },
    ],
    unread_addresses_elsewhere: 5,
  });
});

test("an empty input is shown as empty", () => {
  const empty = { ...forecast, events: 0, unreadable: 0, asking: 0, settled: 0, failures: new Map() };

  expect(planLines({ forecast: empty, pace, price: undefined, memory, unread, lists, behindTransactions: 0 })).toEqual([
    "The input holds no events.",
  ]);
});

test("records behind an open transaction are shown, also for a topic without readable records", () => {
  const report = { forecast, pace, price: undefined, memory, unread, lists, behindTransactions: 3 };
  const said = "behind    3 records lie behind an open transaction and cannot be read before it ends: not planned";

  expect(planLines(report)).toContain(said);
  expect(planLines({ ...report, forecast: { ...forecast, events: 0 } })).toEqual([expect.any(String), said]);
  expect(planLines({ ...report, behindTransactions: 1 })).toContain(said.replace("3 records lie", "1 record lies"));
  expect(planLines({ ...report, behindTransactions: 0 }).filter((line) => line.startsWith("behind"))).toEqual([]);
  expect(JSON.parse(planLine(report)).behind_open_transactions).toBe(3);
});

test("lines at the end of the file that may still grow are left out, and reported", () => {
  const report = { forecast, pace, price: undefined, memory, unread, lists, behindTransactions: 0 };
  const waiting = { from: 5_005, to: 5_005, isQuoted: false };
  const told = "waiting   line 5005 has no line end and may still grow; it was not planned. ";

  expect(planLines({ ...report, waiting }).filter((line) => line.startsWith(told))).toHaveLength(1);
  expect(JSON.parse(planLine({ ...report, waiting }))).toMatchObject({ waiting_lines: { from: 5_005, to: 5_005 } });
  expect(JSON.parse(planLine(report))).toMatchObject({ waiting_lines: null });
  const none = { ...forecast, events: 0 };
  expect(planLines({ ...report, forecast: none, waiting })).toEqual([expect.stringContaining(told)]);
});
