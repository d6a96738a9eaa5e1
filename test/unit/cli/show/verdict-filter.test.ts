import { expect, test } from "vitest";
import { type FilterFlags, verdictFilter } from "../../../../src/cli/show/verdict-filter.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { verdictAt } from "../../../fakes/verdicts.ts";

const none: FilterFlags = { decision: [], finding: [], chain: [], address: [], line: [] };
const fake = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
const real = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const blocked: Verdict = {
  ...verdictAt(7),
  decision: "BLOCK",
  subject: { type: "address", chain_id: "1", address: fake, user_addresses: [real], token_address: token },
  reasons: [{ check: "poisoning", finding: "mimics_user", severity: "BLOCK", detail: "alike", resembles: real }],
};

const fits = (flags: Partial<FilterFlags>, verdict: Verdict = blocked) => verdictFilter({ ...none, ...flags })(verdict);

test("without a filter, every verdict but ALLOW fits", () => {
  expect([fits({}), fits({}, verdictAt(1))]).toEqual([true, false]);
});

test("a decision is read in any case, and several are alternatives", () => {
  expect(fits({ decision: ["allow"] }, verdictAt(1))).toBe(true);
  expect(fits({ decision: ["warn", "Block"] })).toBe(true);
  expect(fits({ decision: ["warn"] })).toBe(false);
});

test.each(["mimics_user", "poisoning:mimics_user", "poisoning: mimics_user"])("the finding %s fits", (finding) => {
  expect(fits({ finding: [finding] })).toBe(true);
  expect(fits({ finding: [finding] }, verdictAt(1))).toBe(false);
});

test("a chain fits by its name and by its id", () => {
  expect([fits({ chain: ["eth"] }), fits({ chain: ["1"] }), fits({ chain: ["tron"] })]).toEqual([true, true, false]);
});

test.each([
  ["the subject, with the case of a checksum", "0xd9A1C3788D81257612E2581A6ea0aDa244853a91"],
  ["the token", token],
  ["the user and the imitated address", real],
])("an address fits as %s", (_role, address) => {
  expect(fits({ address: [address] })).toBe(true);
  expect(fits({ address: [address] }, verdictAt(1))).toBe(false);
});

test("a line fits by itself and in a range", () => {
  expect([fits({ line: ["7"] }), fits({ line: ["1-7"] }), fits({ line: ["8-9", "1"] })]).toEqual([true, true, false]);
});

test("every given flag has to fit", () => {
  expect(fits({ decision: ["block"], line: ["8"] })).toBe(false);
});

test.each<[Partial<FilterFlags>, RegExp]>([
  [{ decision: ["stop"] }, /--decision stop: give one of ALLOW, WARN, UNKNOWN, BLOCK/],
  [{ line: ["x"] }, /--line x: give a line such as 7/],
  [{ line: ["9-7"] }, /--line 9-7/],
])("%j is refused", (flags, message) => {
  expect(() => verdictFilter({ ...none, ...flags })).toThrow(message);
});
