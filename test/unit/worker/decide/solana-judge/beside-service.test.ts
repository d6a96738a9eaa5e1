/** The worker's findings beside a service's findings. An empty list of an uninformed service removes none of them. */
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import { describe, expect, test } from "vitest";
import type { SolanaTransaction } from "../../../../../src/api/schemas/solana-emulate.ts";
import { withOwnFindings } from "../../../../../src/worker/decide/solana-judge/judge.ts";
import type { SecurityService } from "../../../../../src/worker/ports.ts";
import type { Case } from "../../../../fixtures/solana/cases.ts";
import * as v from "../../../../fixtures/solana/vectors.ts";
import * as w from "../../../../fixtures/solana/world.ts";
import { exactService } from "../../../../support/exact-service.ts";
import { verdictOnCase } from "../../../../support/solana-case.ts";

const { user, friend, thief, mint, userTokens } = w;
const signer = w.signing(user);
const ALL = 2n ** 64n - 1n;

/** A service that fills `findings` with names of its own. */
function withEmptyFindings(service: SecurityService): SecurityService {
  const exact = exactService(service, [user, friend]);
  return {
    async ask(name, request, signal) {
      const answer = await exact.ask(name, request, signal);
      return JSON.parse(JSON.stringify(answer), (field, value: unknown) =>
        field === "results" && Array.isArray(value) ? value.map((each) => ({ ...each, findings: [] })) : value,
      );
    },
  };
}

const approve = (amount: bigint) =>
  token.getApproveInstruction({ source: userTokens, delegate: thief, owner: signer, amount });
const handing = token.getSetAuthorityInstruction({
  owned: userTokens,
  owner: signer,
  authorityType: token.AuthorityType.AccountOwner,
  newAuthority: thief,
});
const drain = [
  v.pay(9_000_000_000n, thief),
  v.send(500n, w.thiefTokens),
  token.getTransferInstruction({
    source: w.userOtherTokens,
    destination: w.thiefOtherTokens,
    authority: signer,
    amount: 7n,
  }),
];

describe("an empty list of findings does not hide", () => {
  const cases: readonly (readonly [Case, string, string])[] = [
    [{ name: "a drain of three assets", instructions: drain }, "BLOCK", "several_assets_leave"],
    [{ name: "a token account that is handed over", instructions: [handing] }, "BLOCK", "token_owner_changed"],
    [{ name: "an approval without a limit", instructions: [approve(ALL)] }, "WARN", "approval_unlimited"],
    [
      {
        name: "a wallet that is assigned",
        instructions: [system.getAssignInstruction({ account: signer, programAddress: thief })],
      },
      "BLOCK",
      "account_owner_changed",
    ],
  ];
  test.each(cases)("$name", async (each, decision, finding) => {
    const judged = await verdictOnCase(each, withEmptyFindings);
    expect(judged.decision).toBe(decision);
    expect(judged.fired).toContain(finding);
  });
});

const item = (...given: Parameters<typeof w.serialized>): SolanaTransaction => ({
  ...w.serialized(...given),
  encoding: "base64",
});
const exec_summary = { result_code: "000000000", result_description: "", error_data: null };
type Said = { readonly name: string; readonly account?: string };
function added(instructions: Parameters<typeof w.serialized>[0], ...said: readonly Said[]) {
  const findings = said.map((each) => ({ description: "", ...each }));
  const results = [{ error: null, findings }];
  return withOwnFindings([item(instructions)], { exec_summary, results }, []).worker_findings?.map(({ name }) => name);
}

describe("the findings of a service", () => {
  test("equal findings of the worker are not repeated", () => {
    expect(added([handing])).toEqual(["token_owner_changed"]);
    expect(added([handing], { name: "token_owner_changed", account: userTokens })).toBeUndefined();
    expect(added([handing], { name: "token_owner_changed", account: w.friendTokens })).toEqual(["token_owner_changed"]);
  });

  test("the service's findings remove findings about what the worker cannot see", () => {
    expect(added([v.raw(w.named(70), [7])])).toBeUndefined();
  });

  test("the service's finding about an approval covers the finding that the approval is unlimited", () => {
    expect(added([approve(ALL)])).toEqual(["approval_unlimited"]);
    expect(added([approve(2n ** 63n)])).toEqual(["approval_unlimited"]);
    expect(added([approve(2n ** 63n - 1n)])).toBeUndefined();
    expect(added([approve(ALL)], { name: "approval_unknown_delegate", account: userTokens })).toBeUndefined();
  });

  test("for delegated tokens the service names the token account, and not its holder", () => {
    const change = (address: string, begin: number, end: number) => ({
      address,
      amount_change: "",
      begin_value: String(begin),
      delta_value: String(end - begin),
      end_value: String(end),
      value_usd: "",
    });
    const lent = { token_address: mint, tokenName: "", symbol: "", divisor: "", tokenPriceUSD: "" };
    const balance_changes = [{ ...lent, change_list: [change(friend, 9, 4), change(thief, 0, 5)] }];
    const addedTo = (...findings: readonly { readonly name: string; readonly description: string }[]) =>
      withOwnFindings(
        [item([v.send(5n)])],
        { exec_summary, results: [{ error: null, balance_changes, findings: [...findings] }] },
        [],
      ).worker_findings?.map(({ name }) => name);
    expect(addedTo()).toEqual(["moved_as_delegate"]);
    expect(addedTo({ name: "moved_as_delegate", description: "" })).toBeUndefined();
  });
});

describe("an approval that ends in the same transaction is not unlimited", () => {
  const revoke = token.getRevokeInstruction({ source: userTokens, owner: signer });
  const close = token.getCloseAccountInstruction({ account: userTokens, destination: user, owner: signer });
  test.each([
    ["revoked", [approve(ALL), revoke], undefined],
    ["closed", [approve(ALL), close], undefined],
    ["revoked before", [revoke, approve(ALL)], ["approval_unlimited"]],
    [
      "revoked of another account",
      [approve(ALL), { ...revoke, accounts: [v.write(w.userOtherTokens), v.sign(user)] }],
      ["approval_unlimited"],
    ],
    ["used", [approve(ALL), v.send(5n)], ["approval_unlimited"]],
    ["repeated for less", [approve(ALL), approve(5n)], ["approval_unlimited"]],
  ])("%s", (_what, instructions, names) => {
    expect(added(instructions)).toEqual(names);
  });
});
