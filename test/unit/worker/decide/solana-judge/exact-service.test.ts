/** The worker's decisions with a service that answers exactly the interface, without `findings` and `sequence`. */
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import { expect, test } from "vitest";
import { programs } from "../../../../../src/chains/solana/programs.ts";
import { redecide } from "../../../../../src/cli/audit/redecide.ts";
import type { SecurityService } from "../../../../../src/worker/ports.ts";
import { defaultPolicy } from "../../../../fakes/events.ts";
import { attacks, type Case, ordinary } from "../../../../fixtures/solana/cases.ts";
import * as v from "../../../../fixtures/solana/vectors.ts";
import * as w from "../../../../fixtures/solana/world.ts";
import { exactService } from "../../../../support/exact-service.ts";
import { isNotMilder } from "../../../../support/not-milder.ts";
import { verdictOnCase } from "../../../../support/solana-case.ts";

test.each([...attacks, ...ordinary])("no milder than with Weir's own service: $name", async (each) => {
  const own = await verdictOnCase(each);
  const exact = await verdictOnCase(each, exactService);

  expect(isNotMilder(own.decision, exact.decision), `${own.decision}, and ${exact.decision} ${exact.fired}`).toBe(true);
  expect(redecide(exact.verdict, [() => defaultPolicy])?.decision).toBe(exact.decision);
  expect(JSON.stringify(own.verdict)).not.toContain("worker_findings");
});

const { user, friend } = w;
/** A service with a database that has the wallets with coins. */
const knowing = (service: SecurityService) => exactService(service, [user, friend]);
const signer = w.signing(user);
const memo = v.raw(programs.memo, [...Buffer.from("invoice 7")], []);
const budget = [
  v.raw(programs.computeBudget, [2, ...v.u32(200_000)]),
  v.raw(programs.computeBudget, [3, ...v.u64(20_000n)]),
];
const associate = await token.getCreateAssociatedTokenIdempotentInstructionAsync({
  payer: signer,
  owner: friend,
  mint: w.mint,
});
const [associated] = await token.findAssociatedTokenPda({
  owner: friend,
  mint: w.mint,
  tokenProgram: token.TOKEN_PROGRAM_ADDRESS,
});
const checked = (destination: typeof user) =>
  token.getTransferCheckedInstruction({
    source: w.userTokens,
    mint: w.mint,
    destination,
    authority: signer,
    amount: 5n,
    decimals: 6,
  });

const everyday: readonly Case[] = [
  { name: "SOL", instructions: [...budget, v.pay(1_000_000_000n), memo] },
  { name: "tokens", instructions: [...budget, checked(w.friendTokens), memo] },
  { name: "tokens, unchecked", instructions: [v.send(5n, w.friendTokens)] },
  { name: "tokens to a new account", instructions: [...budget, associate, checked(associated), memo] },
  {
    name: "two payments, whose fee somebody else pays",
    instructions: [
      v.pay(1_000_000_000n),
      system.getTransferSolInstruction({ source: signer, destination: w.named(90), amount: 1_000_000_000n }),
    ],
    form: { payer: friend },
    users: [user],
  },
];

test.each(everyday)("an everyday payment is allowed: $name", async (each) => {
  expect(await verdictOnCase(each, knowing)).toMatchObject({ decision: "ALLOW", fired: [] });
});

test("an unknown wallet that holds coins is a warning, and a fresh wallet is none", async () => {
  const paying = (to: typeof user) => ({ name: "", instructions: [v.pay(1_000_000_000n, to)] });
  expect(await verdictOnCase(paying(friend), exactService)).toMatchObject({
    decision: "WARN",
    fired: ["account_risk_unknown"],
  });
  expect(await verdictOnCase(paying(w.named(90)), exactService)).toMatchObject({ decision: "ALLOW", fired: [] });
});

test("no ordinary case is blocked", async () => {
  const stopped: string[] = [];
  for (const each of ordinary) {
    const holding = (each.accounts ?? []).map(([address]) => address);
    const { decision } = await verdictOnCase(each, (own) => exactService(own, [user, friend, ...holding]));
    if (decision === "BLOCK" || decision === "WARN") stopped.push(each.name);
  }
  expect(stopped).toEqual([]);
});
