import { expect, test } from "vitest";
import policyFile from "../../../../data/policy.json" with { type: "json" };
import { compareLists } from "../../../../src/cli/rescreen/list-again.ts";
import type { Subject } from "../../../../src/messages/verdict.ts";
import { readPolicy } from "../../../../src/policy/policy.ts";
import { answered, clean, subject } from "../../../fakes/evidence.ts";
import { listedBook } from "../../../support/address-book.ts";
import { verdictOn } from "../../../support/archived-verdicts.ts";
import { labelOf } from "../../../support/book-of.ts";

const present = readPolicy(policyFile);
const party = "0x1111111111111111111111111111111111111111";
const inCalldata = "0x2222222222222222222222222222222222222222";
const sanctioned = (address: string) => listedBook(labelOf("1", address, "sanctioned"));
const none = listedBook();
const poisoning = answered("poisoning", { target: clean.target });
const compared = (after: Parameters<typeof compareLists>[0]["after"]) =>
  compareLists({ after, before: undefined, past: new Map(), present });

test("an entry for an address that only calldata named stays while the list has it, and goes with it", () => {
  const transaction: Subject = {
    type: "transaction",
    chain_id: "1",
    transaction_sha256: "0".repeat(64),
    address: party,
  };
  const match = { address: inCalldata, standing: "sanctioned", kind: "sanctioned", chain: "1", name: "A party" };
  const verdict = verdictOn([poisoning, answered("listed", { matches: [match] })], { subject: transaction });
  expect(compared(sanctioned(inCalldata))(verdict)).toMatchObject({
    before: { decision: "BLOCK" },
    after: { decision: "BLOCK" },
  });
  expect(compared(none)(verdict)).toMatchObject({ before: { decision: "BLOCK" }, after: { decision: "ALLOW" } });
});

test("a user's own address counts as such", () => {
  const verdict = verdictOn([poisoning]);
  const [own = ""] = subject.user_addresses;
  const after = compared(sanctioned(own))(verdict)?.after;
  expect(after?.reasons.map(({ finding }) => finding)).toContain("listed_user");
});

test("a verdict without its evidence, and a refused event, are left alone", () => {
  const entry = { ...answered("poisoning", undefined), reduced: { bytes: 9, sha256: "0".repeat(64) } };
  expect(compared(none)(verdictOn([entry], { reduced: ["evidence"] }))).toBeUndefined();
  const unreadable = verdictOn([], { subject: { type: "unreadable", record_sha256: "0".repeat(64) } });
  const result = compared(sanctioned(party))(unreadable);
  expect(result?.after.decision).toBe(result?.before.decision);
});
