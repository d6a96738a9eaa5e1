import { expect, test } from "vitest";
import { canonicalAddress } from "../../../../../src/chains/address.ts";
import { findChain } from "../../../../../src/chains/registry.ts";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import type { BatchEntry } from "../../../../../src/worker/batching/batch-entry.ts";
import { Confirmations } from "../../../../../src/worker/batching/replies/confirmations.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { numbers } from "../../../../support/numbers.ts";
import { randomAddress } from "../../../../support/random-addresses.ts";

const random = seededRandom(30);
const imitators = { areNamed: true, arePoisoning: true };
const flags = (raised: "0" | "1") => ({
  target: { is_poisoning: raised, mimics_user: "0" as const, mimics_exchange: "0" as const },
});
const flagged = (raised: "0" | "1") => ({ evidence: flags(raised), trace: {}, kind: "itself", failures: 0 }) as never;

function partOn(family: "evm" | "tron"): BatchEntry {
  const chain = findChain(family === "evm" ? "1" : family);
  // The hexadecimal form of TRON is 41 and the 20 bytes.
  const next = () => randomAddress("evm", random).replace("0x", family === "evm" ? "0x" : "41");
  const [target, user] = [canonicalAddress(family, next()), canonicalAddress(family, next())];
  if (chain === undefined || target === undefined || user === undefined) throw new Error("no part");
  return { chain, target, token: undefined, users: [user] } as unknown as BatchEntry;
}

function taught(): { readonly confirmations: Confirmations; readonly log: FakeLog } {
  const log = new FakeLog();
  // High enough that no believed flag is confirmed.
  const confirmations = new Confirmations(
    () => undefined,
    () => 0.99,
    log,
  );
  for (const _ of numbers(16)) confirmations.confirmed(partOn("evm"), flagged("1"), flags("1"));
  return { confirmations, log };
}

test("agreements on EVM addresses do not count for TRON addresses", () => {
  const { confirmations } = taught();

  expect(confirmations.of(partOn("evm"), flags("1"), imitators)).toEqual({ by: "learned" });
  expect(confirmations.of(partOn("tron"), flags("1"), imitators)).toEqual({ by: "among-canaries", kind: "itself" });
});

test("a disagreement on TRON ends the belief on EVM, and the log states the believed flags", () => {
  const { confirmations, log } = taught();
  for (const _ of numbers(7)) confirmations.of(partOn("evm"), flags("1"), imitators);

  expect(confirmations.confirmed(partOn("tron"), flagged("1"), flags("0"))).toBe(true);
  expect(confirmations.of(partOn("evm"), flags("1"), imitators)).toEqual({ by: "among-canaries", kind: "itself" });
  expect(log.lines).toMatchObject([{ level: "warn", fields: { believed: 7 } }]);
});
