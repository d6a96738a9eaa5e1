import { describe, expect, test } from "vitest";
import type { ScreenRunResult } from "../../../../src/cli/screen/screen-run.ts";
import { outcomeLine, summaryLines } from "../../../../src/cli/screen/summary.ts";
import { Tally } from "../../../../src/cli/screen/tally.ts";
import type { Decision } from "../../../../src/messages/decision.ts";
import { UnreadAddresses } from "../../../../src/messages/unread/unread-addresses.ts";
import { type CheckEntry, type FailureCode, failureCodes, type Verdict } from "../../../../src/messages/verdict.ts";
import type { Quota } from "../../../../src/worker/rate-limit/sharing/quota.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";

const ok: CheckEntry = { check: "poisoning", outcome: "ok", cached: false, attempts: 1 };
const failed = (code: FailureCode, check: CheckEntry["check"] = "poisoning"): CheckEntry => ({
  check,
  outcome: "failed",
  cached: false,
  attempts: 1,
  error: { code, detail: "why" },
});

function verdictWith(checks: readonly CheckEntry[] = [ok], decision: Decision = "UNKNOWN"): Verdict {
  return {
    schema: "weir.verdict/1",
    verdict_id: "00",
    revision: 0,
    event_id: "a/1",
    tenant: "",
    decision,
    reasons: [],
    subject: { type: "unreadable", record_sha256: "00" },
    required_checks: [],
    checks: [...checks],
    policy: { id: "default", sha256: "00" },
    source: { file: "a", line: 1 },
    decided_at: "2026-01-01T00:00:00.000Z",
    software: "weir/test",
  };
}

function tallyOf(...verdicts: readonly Verdict[]): Tally {
  const tally = new Tally(new FakeClock(), verdicts.length);
  for (const verdict of verdicts) {
    tally.countRecord();
    tally.countVerdict(verdict);
  }
  return tally;
}

/** Failures by the input, by the service's range of features, or by an item without an answer. */
const lasting = new Set<FailureCode>([
  "EVENT_MALFORMED",
  "CHAIN_UNSUPPORTED",
  "ADDRESS_INVALID",
  "USER_ADDRESS_INVALID",
  "TOKEN_ADDRESS_INVALID",
  "SUBJECT_UNSUPPORTED",
  "CHECK_UNSUPPORTED",
  "CALLDATA_UNDECODED",
  "SERVICE_CALL_UNDECODED",
  "ITEM_FAILED",
]);

describe("the exit status", () => {
  test("is 0 when every check was answered, for any decisions", () => {
    const all = (["ALLOW", "WARN", "BLOCK", "UNKNOWN"] as const).map((decision) => verdictWith([ok], decision));

    expect(tallyOf(...all).exitStatus()).toBe(0);
    expect(tallyOf().exitStatus()).toBe(0);
  });

  const final = failureCodes.filter((code) => code !== "DEADLINE_PASSED");
  test.each(final)("for %s is 2 when a retry would not help, and 1 when the service failed", (code) => {
    const tally = tallyOf(verdictWith(), verdictWith([ok, failed(code)]));

    expect(tally.exitStatus()).toBe(lasting.has(code) ? 2 : 1);
  });

  test("is 1 when both kinds happened, in one event or in two", () => {
    const [rejected, unanswered] = [failed("ADDRESS_INVALID"), failed("SERVICE_UNAVAILABLE", "token-security")];

    expect(tallyOf(verdictWith([rejected]), verdictWith([unanswered])).exitStatus()).toBe(1);
    expect(tallyOf(verdictWith([rejected, unanswered])).exitStatus()).toBe(1);
  });

  test("is 1 for a batch entry without an answer, which counts by its reason, except beside a BLOCK", () => {
    const unanswered = [{ code: "SERVICE_UNAVAILABLE", detail: "503" }];
    const part: CheckEntry = { ...ok, data: { target: clean.target, unanswered } };
    const [open, blocked] = [tallyOf(verdictWith([part])), tallyOf(verdictWith([part], "BLOCK"))];

    expect([open.exitStatus(), [...open.byFailure], [...open.firstSaid]]).toEqual([
      1,
      [["SERVICE_UNAVAILABLE", 1]],
      [["SERVICE_UNAVAILABLE", "503"]],
    ]);
    expect([blocked.exitStatus(), [...blocked.byFailure]]).toEqual([0, []]);
  });

  test("does not depend on a check that does not apply", () => {
    const entry: CheckEntry = { ...failed("CHECK_UNSUPPORTED"), outcome: "not_applicable" };

    expect(tallyOf(verdictWith([ok, entry])).exitStatus()).toBe(0);
    expect(tallyOf(verdictWith([ok, entry])).byFailure.size).toBe(0);
    expect(tallyOf(verdictWith([entry], "ALLOW")).exitStatus()).toBe(0);
  });

  test("is 2 for an event without any check", () => {
    const entry: CheckEntry = { ...failed("CHECK_UNSUPPORTED"), outcome: "not_applicable" };

    expect(tallyOf(verdictWith([entry])).exitStatus()).toBe(2);
  });

  test("includes the verdicts of an earlier run", () => {
    const tally = new Tally(new FakeClock(), 1);

    tally.countEarlier(verdictWith([failed("SERVICE_UNAVAILABLE")]));

    expect(tally.exitStatus()).toBe(1);
  });
});

test("decisions are counted in the order of severity", () => {
  const tally = tallyOf(
    verdictWith([ok], "BLOCK"),
    verdictWith([ok], "ALLOW"),
    verdictWith([ok], "ALLOW"),
    verdictWith([ok], "WARN"),
  );

  expect(tally.decisions()).toEqual([
    ["ALLOW", 2],
    ["WARN", 1],
    ["UNKNOWN", 0],
    ["BLOCK", 1],
  ]);
  expect(tally.settled).toBe(4);
});

test("a provisional verdict does not count, and its replacement does", () => {
  const overdue = verdictWith([ok, failed("DEADLINE_PASSED", "token-security")]);
  const tally = tallyOf(overdue);
  expect([tally.settled, tally.exitStatus(), tally.byFailure.size]).toEqual([0, 0, 0]);

  tally.countVerdict({ ...verdictWith([ok, { ...ok, check: "token-security" }], "ALLOW"), revision: 1 });

  expect([tally.settled, tally.exitStatus(), tally.byDecision]).toEqual([
    1,
    0,
    { ALLOW: 1, WARN: 0, UNKNOWN: 0, BLOCK: 0 },
  ]);
  expect(tally.progress()).toMatchObject({ done: 1, total: 1 });
});

test("an event counts once for each kind of its failures", () => {
  const tally = tallyOf(
    verdictWith([failed("SERVICE_UNAVAILABLE"), failed("SERVICE_UNAVAILABLE", "token-security")]),
    verdictWith([failed("SERVICE_UNAVAILABLE"), failed("ITEM_FAILED", "token-security")]),
  );

  expect([...tally.byFailure]).toEqual([
    ["SERVICE_UNAVAILABLE", 2],
    ["ITEM_FAILED", 1],
  ]);
});

test("requests are counted, and separately those refused for load and those without an answer", () => {
  const tally = tallyOf();

  for (const status of [200, 429, 0, 503, 429, 503, 200]) tally.countRequest(status);
  for (const status of [429, 503, 429, 200]) tally.countLoadRefused(status);

  expect([tally.requests, tally.loadRefusals, tally.failed]).toEqual([7, 4, 2]);
});

test("the progress separates this run's work from earlier work", async () => {
  const clock = new FakeClock();
  const tally = new Tally(clock, 10);
  tally.countEarlier(verdictWith());
  tally.countRecord();
  tally.countRecord();
  tally.countVerdict(verdictWith());
  tally.countRequest(200);
  await clock.sleep(1_500);

  expect(tally.progress()).toEqual({
    done: 2,
    total: 10,
    requests: 1,
    loadRefusals: 0,
    failed: 0,
    undecided: { ms: 0, loadRefusals: 0 },
    elapsedMs: 1_500,
    resumedAt: 1,
  });
});

test("the time without a decision, and its refusals, count from the last look with a new verdict", async () => {
  const clock = new FakeClock();
  const tally = new Tally(clock, 10);
  tally.countLoadRefused(429);
  tally.countVerdict(verdictWith());
  tally.progress();

  await clock.sleep(60_000);
  tally.countLoadRefused(429);
  tally.countLoadRefused(503);

  expect(tally.progress().undecided).toEqual({ ms: 60_000, loadRefusals: 2 });
  tally.countVerdict(verdictWith());
  expect(tally.progress().undecided).toEqual({ ms: 0, loadRefusals: 0 });
});

test("the total is unknown for an input that cannot be counted", () => {
  expect(new Tally(new FakeClock(), undefined).progress().total).toBeUndefined();
});

describe("the summary", () => {
  const summary = (
    tally: Tally,
    objects = 1,
    learning?: ScreenRunResult["learning"],
    quota?: Quota,
    unread = new UnreadAddresses(),
    ignored: readonly string[] = [],
    lists: ScreenRunResult["lists"] = [],
    undetected: ScreenRunResult["undetected"] = [],
  ) => [
    ...summaryLines(
      {
        tally,
        service: "https://security.example.com",
        policy: { file: "bundled", sha256: "535996c954b0f389" },
        lists,
        learning,
        quota,
        verdictsFile: "out/verdicts.ndjson",
        archived: { objects, verdicts: 2 },
        unread,
        undetected,
        ignored,
        mapping: undefined,
        rejectsFile: undefined,
      },
      "out",
    ),
    outcomeLine(tally),
  ];

  test("advises another run where earlier verdicts were screened with other lists", () => {
    const tally = tallyOf();
    tally.listSet = "new";
    tally.countEarlier({ ...verdictWith([ok], "ALLOW"), lists: "old" });
    tally.countEarlier({ ...verdictWith([ok], "ALLOW"), lists: "new" });

    expect(tally.exitStatus()).toBe(2);
    expect(summary(tally)).toContain(
      "other lists: 1 of them were held against another set of lists: screen into another --out",
    );
    expect(outcomeLine(tally)).toBe(
      "Some verdicts of earlier runs were held against other lists: screen into another --out (exit status 2).",
    );
  });

  test("reports a last line that waits, with the way to complete it", () => {
    const tally = tallyOf(verdictWith([ok], "ALLOW"));
    tally.wait({ from: 7, to: 7, isQuoted: false });
    expect(tally.progress()).toMatchObject({ waiting: { from: 7, to: 7 } });

    expect(tally.exitStatus()).toBe(2);
    expect(summary(tally)).toContain(
      "waiting: line 7 has no line end and may still grow; it was not screened. Run again when the file has grown, or with --finished when nothing more comes",
    );
    expect(outcomeLine(tally)).toBe("The end of the file was not screened: it may still grow (exit status 2).");
    tally.countVerdict(verdictWith([failed("ADDRESS_INVALID")]));
    expect(outcomeLine(tally)).toMatch(/^Some events could not be screened/);
  });

  test("names each list with its date and size", () => {
    const list = {
      name: "ofac.csv",
      sha256: "5".repeat(64),
      date: "2026-11-20",
      loadedAt: "",
      entries: 5,
      refused: [],
      unread: [],
    };

    expect(summary(tallyOf(), 1, undefined, undefined, new UnreadAddresses(), [], [list])).toContain(
      "list      ofac.csv of 2026-11-20 (5 entries)",
    );
  });

  test("counts the refused rows of a list, shows the first reason, and names the unread columns", () => {
    const refused = [
      { line: 3, detail: "kind: missing\u001b" },
      { line: 9, detail: "name: missing" },
    ];
    const list = {
      name: "own.csv",
      sha256: "",
      date: "2026-11-20",
      loadedAt: "",
      entries: 1,
      refused,
      unread: ["Source", "x\n"],
    };

    expect(summary(tallyOf(), 1, undefined, undefined, new UnreadAddresses(), [], [list])).toContain(
      "list      own.csv of 2026-11-20 (1 entry; 2 rows refused, first line 3: kind: missing\uFFFD; not read: Source, x\uFFFD)",
    );
  });

  test("shows counts, files and advice", () => {
    const tally = tallyOf(verdictWith([ok], "ALLOW"), verdictWith([failed("EVENT_MALFORMED", "event")]));

    expect(summary(tally)).toEqual([
      "",
      "ALLOW                1",
      "WARN                 0",
      "UNKNOWN              1",
      "BLOCK                0",
      "events               2",
      "requests             0",
      "refusals for load    0",
      "time               0 s",
      "",
      "checks without an answer:",
      "  EVENT_MALFORMED                  1  first: why",
      "",
      "service   https://security.example.com",
      "policy    bundled (SHA-256 535996c954b0)",
      "verdicts  out/verdicts.ndjson",
      "archive   out/archive (1 new object)",
      "Some events could not be screened in full; their verdicts say why (exit status 2).",
    ]);
  });

  test.each([
    [undefined, "pace      not settled yet: out/quota.json keeps nothing of this run"],
    [19.4321, "pace      19.4 requests a second, learned; kept in out/quota.json"],
    [0.5, "pace      0.5 requests a second, learned; of so little the next run learns it anew"],
  ])("after a run that learned %s requests a second shows the next run's rate", (perSecond, line) => {
    const learned = perSecond === undefined ? undefined : { perSecond, burst: 0, windowMs: 1_000 };

    expect(summary(tallyOf(), 1, { learned, file: "out/quota.json" })).toContain(line);
    expect(summary(tallyOf()).join("\n")).not.toContain("pace ");
  });

  test.each([
    [19, undefined],
    [
      20,
      "pace      20 of 1000 requests were refused for load, more than SERVICE_QUOTA=100/1s should draw: the key bears less, counts by another window, or is used by others; `weir doctor --quota` measures it, and without SERVICE_QUOTA it is learned",
    ],
  ])("after %d refusals for load in a thousand requests gives advice on the quota", (limited, line) => {
    const tally = tallyOf();
    for (let i = 0; i < 1_000; i++) tally.countRequest(i < limited ? 503 : 200);
    for (let i = 0; i < limited; i++) tally.countLoadRefused(503);

    const said = summary(tally, 1, undefined, { requests: 100, windowMs: 1_000 }).find((each) =>
      each.startsWith("pace"),
    );
    expect(said).toBe(line);
  });

  test("names the kinds of refusals for load", () => {
    const tally = tallyOf();
    for (const status of [429, 503, 200, 403, 503, 400]) tally.countLoadRefused(status);

    expect(summary(tally)).toContain("refusals for load    6  (2 × 503, 2 × envelope, 1 × 429, 1 × 403)");
  });

  test("does not mention a few refusals for load, which are normal", () => {
    const tally = tallyOf();
    for (const status of [200, 429, 429, 200]) tally.countRequest(status);
    for (const status of [429, 429]) tally.countLoadRefused(status);

    expect(summary(tally, 1, undefined, { requests: 100, windowMs: 1_000 }).join("\n")).not.toContain("pace ");
  });

  test("of a clean run reports that, and shows no failures", () => {
    const lines = summary(tallyOf(verdictWith([ok], "ALLOW")));

    expect(lines.at(-1)).toBe("Every event was read and every required check answered.");
    expect(lines.join("\n")).not.toContain("without an answer:");
  });

  test("of a run with failures of the service gives advice", () => {
    expect(summary(tallyOf(verdictWith([failed("SERVICE_UNAVAILABLE")]))).at(-1)).toMatch(
      /^The service left some checks without an answer\. See that it runs.*asks those again \(exit status 1\)\.$/,
    );
  });

  const about = (users?: readonly string[]): Verdict => ({
    ...verdictWith([ok], "ALLOW"),
    subject: {
      type: "address",
      chain_id: "1",
      address: "0x1",
      ...(users === undefined ? {} : { user_addresses: users }),
    },
  });

  test.each<[string, readonly Verdict[], string]>([
    [
      "all",
      [about(), about([]), verdictWith()],
      "no event about an address names addresses that the user knows: compared with labels and lists only",
    ],
    [
      "some",
      [about(["0x2"]), about(), about(["0x2"])],
      "1 of 3 events about an address name no addresses that the user knows: compared with labels and lists only",
    ],
  ])("of a run with %s events without users reports that first", (_which, verdicts, line) => {
    expect(summary(tallyOf(...verdicts)).slice(0, 2)).toEqual(["", line]);
  });

  test("does not mention users when events name them, or when no event is about an address", () => {
    for (const verdicts of [[about(["0x2"])], [verdictWith()], []]) {
      expect(summary(tallyOf(...verdicts)).slice(0, 2)).toEqual(["", expect.stringMatching(/^ALLOW/)]);
    }
  });

  test("names the chains without detection of lookalikes", () => {
    const lines = summary(tallyOf(), 1, undefined, undefined, undefined, [], [], ["evm", "tron"]);

    expect(lines).toContain(
      "lookalikes: the service flagged none that were made to try it (EVM chains and TRON): imitations of exchanges and other known addresses pass; see `weir doctor`",
    );
    expect(summary(tallyOf()).filter((line) => line.startsWith("lookalikes"))).toEqual([]);
  });

  test("of a run with unread addresses names their columns, and the ignored columns", () => {
    const unread = new UnreadAddresses();
    unread.add([{ path: "memo", isTelling: false, mayBeHash: false, meant: "users" }], "column", "line 2");
    const lines = summary(tallyOf(about(["0x2"])), 1, undefined, undefined, unread, ["From (Address)"]);

    expect(lines).toContain("ignored: column From (Address), as --ignore says");
    expect(lines[lines.indexOf("addresses that were not read:") + 1]).toMatch(
      /^ {2}column memo is not read and holds addresses in 1 event, first in line 2: name it user_addresses/,
    );
  });

  test("of a resumed run shows the earlier part", () => {
    const tally = tallyOf(verdictWith());
    tally.countEarlier(verdictWith());

    expect(summary(tally)).toContain("resumed: 1 of them were there before this run");
  });
});
