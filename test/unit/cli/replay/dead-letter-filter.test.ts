import { describe, expect, test } from "vitest";
import { type DeadLetterFlags, deadLetterFilter } from "../../../../src/cli/replay/dead-letter-filter.ts";
import { readLetter } from "../../../../src/worker/consumer/records/replay-ticket.ts";
import { deadLetter } from "../../../fakes/dead-letters.ts";

const NOW = Date.UTC(2026, 0, 31, 9);

/** Whether flags take a letter of 2026-01-31 08:00 UTC, an hour ago. */
function takes(flags: DeadLetterFlags, record = deadLetter()): boolean {
  const letter = readLetter(record);
  if (typeof letter === "string") throw new Error(letter);
  return deadLetterFilter(flags, NOW).takes(letter);
}

test("without flags it takes everything, and says so", () => {
  expect(deadLetterFilter({ reason: [] }, NOW).isOpen).toBe(true);
  expect(takes({})).toBe(true);
});

test.each<[DeadLetterFlags, boolean]>([
  [{ reason: ["SERVICE_UNAVAILABLE"] }, true],
  [{ reason: ["ITEM_FAILED", " SERVICE_UNAVAILABLE"] }, true],
  [{ reason: ["ITEM_FAILED"] }, false],
  [{ since: "2026-01-31T08:00:00Z" }, true],
  [{ since: "2026-01-31T08:00:00.001Z" }, false],
  [{ since: "2026-01-31T09:30:00+01:30" }, true],
  [{ since: "2026-01-31" }, true],
  [{ until: "2026-01-31T08:00:00Z" }, false],
  [{ until: "2026-02-01" }, true],
  [{ since: "2h" }, true],
  [{ since: "59min ago" }, false],
  [{ since: "60 min" }, true],
  [{ since: "7d", until: "3600s ago" }, false],
  [{ tenant: "acme" }, true],
  [{ tenant: "other" }, false],
  [{ tenant: "acme", reason: ["ITEM_FAILED"] }, false],
])("%j", (flags, isTaken) => {
  expect(takes(flags)).toBe(isTaken);
  expect(deadLetterFilter(flags, NOW).isOpen).toBe(false);
});

describe("an event with its own fault", () => {
  const about = (reasons: string) => deadLetter({ "weir-reasons": reasons });
  const isHopeless = (reasons: string, flags: DeadLetterFlags = {}) => {
    const letter = readLetter(about(reasons));
    if (typeof letter === "string") throw new Error(letter);
    return deadLetterFilter(flags, NOW).isHopeless(letter);
  };

  test.each([
    "EVENT_MALFORMED",
    "ADDRESS_INVALID",
    "USER_ADDRESS_INVALID",
    "TOKEN_ADDRESS_INVALID,USER_ADDRESS_INVALID",
  ])("%s is not replayed by default", (reasons) => {
    expect([takes({}, about(reasons)), isHopeless(reasons)]).toEqual([false, true]);
    expect(takes({ since: "7d" }, about(reasons))).toBe(false);
  });

  test.each(["", "USER_ADDRESS_INVALID,SERVICE_UNAVAILABLE", "CHECK_UNSUPPORTED", "CHAIN_UNSUPPORTED", "made up"])(
    "any other failure may be replayed: %j",
    (reasons) => {
      expect([takes({}, about(reasons)), isHopeless(reasons)]).toEqual([true, false]);
    },
  );

  test("is replayed when its reason is named", () => {
    expect(takes({ reason: ["EVENT_MALFORMED"] }, about("EVENT_MALFORMED"))).toBe(true);
    expect(isHopeless("EVENT_MALFORMED", { reason: ["EVENT_MALFORMED"] })).toBe(false);
    expect(takes({ reason: ["EVENT_MALFORMED"] }, about("ADDRESS_INVALID"))).toBe(false);
  });
});

test("a record that is no event has no tenant", () => {
  expect(takes({ tenant: "" }, deadLetter({}, "{"))).toBe(true);
  expect(takes({ tenant: "acme" }, deadLetter({}, "{"))).toBe(false);
});

describe("it refuses", () => {
  test("a reason that no letter has, with those that there are", () => {
    expect(() => deadLetterFilter({ reason: ["SERVICE_DOWN"] }, NOW)).toThrow(
      /^--reason SERVICE_DOWN: no such reason; there are EVENT_MALFORMED, .*, ITEM_FAILED$/,
    );
  });

  test.each(["", "yesterday", "08:00", "2026-01-31T08:00:00", "2026-13-01", "-2h", "2 weeks", "1e3s"])(
    "an invalid time: %j",
    (text) => {
      expect(() => deadLetterFilter({ since: text }, NOW)).toThrow(`--since ${text}: must be a time such as`);
    },
  );

  test("times in the wrong order", () => {
    expect(() => deadLetterFilter({ since: "1h", until: "2h" }, NOW)).toThrow("--since is not before --until");
  });
});
