import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { redecide } from "../../../src/cli/audit/redecide.ts";
import { bundled } from "../../../src/cli/program/package-root.ts";
import { everyPolicy } from "../../../src/cli/wiring/open-policy.ts";
import type { CheckEntry, Verdict } from "../../../src/messages/verdict.ts";
import { readOldPolicy } from "../../../src/policy/old-policy.ts";
import { policyFileHash } from "../../../src/policy/policy.ts";
import { answered, clean, subject } from "../../fakes/evidence.ts";

/**
 * Every policy that was ever bundled, in order; the last is data/policy.json. Before a change of that file, copy it to
 * data/old-policies under the next number, and add the new hash here. `weir audit` decides again by all these policies.
 */
const shipped = [
  "2e6897747320a017d025f251c44f634b20f568f9729f392928e4985337399d28",
  "504f647c23517f3eb3a21a6397e95743768e2d03007ca559f3b2e6b53fe0bc96",
  "6b7272a997ed5b0e86232e659f55b4f9738b092bcee5ab41b876bb1f6b36b48e",
  "b62481854aea29704d8f03f125af336a04acb8e458a061fc388f21de2fcc267f",
  "888b7a4981d559a3d133326ab5db8ebed1346a9daa7b911ed97fdde6dd37c20e",
  "29ff13959190cbcd8b0ba48882d49dd5282c1d52fcff326084feedaa90bd1b04",
  "cd7419cbd5ffc92d205f349af374220710fb3ff9d78736285e24285031da88ac",
  "73a1ce63eec43db192218ce0c66aed9cd55d3795451da386958f19f721db07a2",
  "0eafdcd5483196fa207b6aada4458cedd9561e5cf35edbe85c102bfd0cde76ce",
  "11d70ca34849e4f3289296fd824e023a45b3f554a1b0aa79d8298185acb3fbe4",
];

const parsed = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, "utf8"));
const numbers = shipped.slice(0, -1).map((_, i) => `${i + 1}.json`);
/** Policies without a row for taxes. */
const untaxed = numbers.slice(0, 3);
const file = (name: string) => path.join(bundled.oldPolicies, name);

test("every policy that was ever bundled is still there, unchanged", async () => {
  const hashes = await Promise.all(
    [...numbers.map(file), bundled.policy].map(async (each) => policyFileHash(await parsed(each))),
  );

  expect(hashes).toEqual(shipped);
  expect((await readdir(bundled.oldPolicies)).sort()).toEqual(numbers.toSorted());
  expect(new Set(shipped).size).toBe(shipped.length);
});

/** A verdict of an event without a tenant, or of an unknown tenant. */
function verdict(sha256: string, checks: readonly CheckEntry[], own: Partial<Verdict> = {}): Verdict {
  return {
    schema: "weir.verdict/1",
    verdict_id: "0".repeat(64),
    revision: 0,
    event_id: "event",
    tenant: "",
    decision: "ALLOW",
    reasons: [],
    subject,
    required_checks: ["poisoning"],
    checks: [...checks],
    policy: { id: "default", sha256 },
    source: { topic: "events", partition: 0, offset: "0" },
    decided_at: "2026-01-01T00:00:00.000Z",
    software: "weir/test",
    ...own,
  };
}

const token_address = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const poisoning = answered("poisoning", { target: clean.target, token: clean.token });
const taxed = (sell_tax: string) =>
  answered("token-security", { ...clean.tokenSecurity, trade_analysis: { sell_tax, transfer_tax: "" } });
const tokenChecks = ["poisoning", "token-security"] as const;

test.each(numbers)("an event that %s allowed is allowed again, without any setting", async (name) => {
  const policies = await everyPolicy([]);
  const of = readOldPolicy(await parsed(file(name)));
  for (const tenant of ["", "somebody"]) {
    const { sha256 } = of(tenant === "" ? undefined : tenant);
    const address = verdict(sha256, [answered("poisoning", { target: clean.target })], { tenant });
    expect(redecide(address, policies)).toEqual({ decision: "ALLOW", missing: [] });
    // Its policy had no row for taxes, so they counted for nothing.
    for (const tax of untaxed.includes(name) ? ["99", "nobody knows"] : []) {
      const own = { tenant, subject: { ...subject, token_address }, required_checks: [...tokenChecks] };
      const again = redecide(verdict(sha256, [poisoning, taxed(tax)], own), policies);
      expect(again).toEqual({ decision: "ALLOW", missing: [] });
    }
  }
});

test("the present policy blocks the one, and lacks a decision on the other", async () => {
  const policies = await everyPolicy([]);
  const { sha256 } = readOldPolicy(await parsed(bundled.policy))(undefined);
  const own = { subject: { ...subject, token_address }, required_checks: [...tokenChecks] };

  expect(redecide(verdict(sha256, [poisoning, taxed("99")], own), policies)?.decision).toBe("BLOCK");
  expect(redecide(verdict(sha256, [poisoning, taxed("nobody knows")], own), policies)?.decision).toBe("UNKNOWN");
});

test("findings of a simulation without a row in the policy do not count", async () => {
  const policies = await everyPolicy([]);
  const [result] = clean.solana.results;
  const findings = [{ name: "account_owner_changed", description: "" }];
  const simulated = answered("solana-simulation", { ...clean.solana, results: [{ ...result, findings }] });
  const solana = { type: "transaction", chain_id: "solana", transaction_sha256: "0".repeat(64) } as const;
  const decision = async (name: string) => {
    const { sha256 } = readOldPolicy(await parsed(name))(undefined);
    const checks = [simulated, answered("poisoning", { target: clean.target })];
    const own = { subject: solana, required_checks: ["poisoning" as const, "solana-simulation" as const] };
    return redecide(verdict(sha256, checks, own), policies)?.decision;
  };

  expect(await decision(file("2.json"))).toBe("ALLOW");
  expect(await decision(file("3.json"))).toBe("BLOCK");
});
