import { expect, test } from "vitest";
import { readSignatures } from "../../../src/adapters/evmole/read-signatures.ts";
import { analyseCode } from "../../../src/evm-analysis/analyse-code.ts";
import { readCorpus } from "../../corpus/corpus.ts";

const artifacts = readCorpus().filter(({ build }) => build.startsWith("solc-0.8.37"));

/** The analysis of every build of a contract. */
function analyses(contract: string) {
  const own = artifacts.filter((artifact) => artifact.contract === contract);
  return own.map(({ code }) => analyseCode(code, readSignatures, () => true));
}

const notes = (contract: string) =>
  analyses(contract).map(({ findings }) =>
    findings.blacklist.evidence.map(({ note = "" }) => /written by( anybody)?/.exec(note)?.[0]),
  );

test.each([
  "GuardXor",
  "GuardHash",
  "GuardStoredHash",
  "GuardLevel",
  "GuardRoleBits",
  "GuardOrigin",
  "GuardAsked",
  "GuardOwners",
  "GuardSigners",
  "GuardShort",
  "GuardNear",
  "GuardSelf",
])("%s: only privileged callers write the list", (contract) => {
  expect(notes(contract)).toEqual(Array.from({ length: 3 }, () => ["written by", "written by"]));
});

test.each(["GuardWord", "NoGuard"])("%s: any caller writes the list", (contract) => {
  expect(notes(contract)).toEqual(Array.from({ length: 3 }, () => ["written by anybody", "written by anybody"]));
});

test.each([
  ["LedgerElsewhere", { mint: "unknown", limit: true, leak: "unknown" }],
  ["BuyersOnly", { mint: false, limit: false, leak: false }],
  ["GivesAway", { mint: false, limit: false, leak: false }],
  ["TakesAll", { mint: false, limit: true, leak: false }],
  ["UnboundedFee", { mint: false, limit: false, leak: false }],
])("%s: whether holders can be kept from selling", (contract, capabilities) => {
  const said = analyses(contract).map((analysis) => analysis.capabilities);
  expect(said).toEqual([capabilities, capabilities, capabilities]);
});
