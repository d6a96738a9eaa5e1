/** Why findings are ordinary for an event that names the user's own addresses, whatever service answers. */
import { type Address, none } from "@solana/kit";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import { beforeAll, describe, expect, test } from "vitest";
import type { SimulationResult, SolanaTransaction } from "../../../../../../src/api/schemas/solana-emulate.ts";
import { withOwnFindings } from "../../../../../../src/worker/decide/solana-judge/judge.ts";
import * as v from "../../../../../fixtures/solana/vectors.ts";
import * as w from "../../../../../fixtures/solana/world.ts";
import { type BalanceRow, resultOf } from "../../../../../support/solana-results.ts";

const { user, friend: hot, thief, mint, otherMint } = w;
const signer = w.signing(user);
const SOL = 1_000_000_000n;
const exec_summary = { result_code: "000000000", result_description: "", error_data: null };
const item = (instructions: Parameters<typeof w.serialized>[0], form?: w.Form): SolanaTransaction => ({
  ...w.serialized(instructions, form),
  encoding: "base64",
});

/** Each explained finding, with the reason. */
function explained(
  transactions: readonly SolanaTransaction[],
  results: readonly SimulationResult[],
  named: readonly string[] = [user, hot],
) {
  const { worker_explanations = [] } = withOwnFindings(transactions, { exec_summary, results: [...results] }, named);
  return worker_explanations.map(({ name, by, share_bps }) => [
    name,
    by,
    ...(share_bps === undefined ? [] : [share_bps]),
  ]);
}

const ata = async (owner: Address, of: Address) =>
  (await token.findAssociatedTokenPda({ owner, mint: of, tokenProgram: token.TOKEN_PROGRAM_ADDRESS }))[0];
let hotTokens: Address;
let hotOther: Address;
beforeAll(async () => {
  hotTokens = await ata(hot, mint);
  hotOther = await ata(hot, otherMint);
});
const checked = (source: Address, of: Address, destination: Address, amount = 90n) =>
  token.getTransferCheckedInstruction({ source, mint: of, destination, authority: signer, amount, decimals: 6 });
/** All of two tokens, to the associated accounts of the hot wallet. */
const sweep = () => [checked(w.userTokens, mint, hotTokens), checked(w.userOtherTokens, otherMint, hotOther)];
const swept = (to: string): readonly BalanceRow[] => [
  [mint, user, 90n, 0n],
  [mint, to, 0n, 90n],
  [otherMint, user, 90n, 0n],
  [otherMint, to, 0n, 90n],
];
const leaves = { name: "several_assets_leave", account: user, description: "" };

describe("a sweep to an address that the event names", () => {
  test.each([
    ["gives findings", { findings: [leaves] }],
    ["gives none", {}],
    ["gives an empty list", { findings: [] }],
  ])("is ordinary where the service %s", (_what, more) => {
    expect(explained([item(sweep())], [resultOf(swept(hot), more)])).toEqual([["several_assets_leave", "own_address"]]);
  });

  test("is not ordinary where the event names no address", () => {
    expect(explained([item(sweep())], [resultOf(swept(hot))], [])).toEqual([
      ["several_assets_leave", "small_shares", 20_000],
    ]);
  });

  test.each([
    [
      "the instructions pay another account than the balances show",
      () => [checked(w.userTokens, mint, w.thiefTokens), checked(w.userOtherTokens, otherMint, hotOther)],
    ],
    [
      "the instructions pay SOL that no balance shows",
      () => [...sweep(), system.getTransferSolInstruction({ source: signer, destination: thief, amount: SOL })],
    ],
    ["another program runs", () => [...sweep(), v.raw(w.named(91), [1])]],
    [
      "a token account is closed to a stranger",
      () => [
        ...sweep(),
        token.getCloseAccountInstruction({ account: w.userTokens, destination: thief, owner: signer }),
      ],
    ],
    [
      "an instruction pays in another way",
      () => [
        ...sweep(),
        system.getWithdrawNonceAccountInstruction({
          nonceAccount: v.nonce,
          recipientAccount: thief,
          nonceAuthority: signer,
          withdrawAmount: SOL,
        }),
      ],
    ],
  ])("is not ordinary where %s", (_what, instructions) => {
    for (const findings of [undefined, [], [leaves]]) {
      const result = resultOf(swept(hot), findings === undefined ? {} : { findings });
      expect(explained([item(instructions())], [result])).toEqual([["several_assets_leave", "small_shares", 20_000]]);
    }
  });

  test("is ordinary with accounts of its own that are closed, revoked, or named by the event", () => {
    const account = w.named(71);
    const instructions = [
      ...sweep(),
      checked(w.userTokens, mint, account, 1n),
      token.getRevokeInstruction({ source: w.userTokens, owner: signer }),
      token.getSyncNativeInstruction({ account: w.named(66) }),
      token.getCloseAccountInstruction({ account: w.userTokens, destination: hot, owner: signer }),
    ];

    expect(explained([item(instructions)], [resultOf(swept(hot))], [hot, account])).toEqual([
      ["several_assets_leave", "own_address"],
    ]);
  });

  test("is not ordinary by way of a lookup table, whose accounts the worker cannot read", () => {
    const transaction = item(sweep(), { tables: { [v.table]: [hotTokens, hotOther] } });
    expect(explained([transaction], [resultOf(swept(hot), { findings: [leaves] })])).toEqual([
      ["several_assets_leave", "small_shares", 20_000],
    ]);
  });

  test("is not ordinary where a part goes to a stranger or is burnt", () => {
    const [first, , third] = swept(hot);
    if (first === undefined || third === undefined) throw new Error("no rows");
    const rows: readonly BalanceRow[] = [first, [mint, hot, 0n, 80n], third, [otherMint, hot, 0n, 90n]];
    expect(explained([item(sweep())], [resultOf(rows)])).toEqual([["several_assets_leave", "small_shares", 20_000]]);
    expect(explained([item(sweep())], [resultOf([...rows, [mint, thief, 0n, 10n]])])).toEqual([
      ["several_assets_leave", "small_shares", 20_000],
    ]);
  });

  test("is not ordinary where a stranger gains SOL of an account that the balances alone name", () => {
    const stake: readonly BalanceRow[] = [
      ["native", v.stake, 5n * SOL, 0n],
      ["native", thief, 0n, 5n * SOL],
    ];
    expect(explained([item(sweep())], [resultOf([...swept(hot), ...stake])])).toEqual([
      ["several_assets_leave", "small_shares", 30_000],
    ]);
  });

  test("is no reason for another finding about the same account", () => {
    const most = { name: "majority_of_sol_leaves", account: user, description: "" };
    expect(explained([item(sweep())], [resultOf(swept(hot), { findings: [most] })])).toEqual([
      ["several_assets_leave", "own_address"],
    ]);
  });

  test("is not ordinary where the service finds what no balance shows", () => {
    const [first, second] = swept(hot);
    if (first === undefined || second === undefined) throw new Error("no rows");
    expect(explained([item(sweep())], [resultOf([first, second], { findings: [leaves] })])).toEqual([]);
  });

  test.each([
    ["that failed", { error: "InstructionError" }],
    ["whose balances do not read", { balance_changes: [{ token_address: "?", change_list: [] }] as never }],
  ])("is not ordinary in a simulation %s", (_what, more) => {
    expect(explained([item(sweep())], [resultOf(swept(hot), { findings: [leaves], ...more })])).toEqual([]);
  });

  test("is not ordinary where a transaction has no result", () => {
    expect(explained([item(sweep()), item(sweep())], [resultOf(swept(hot), { findings: [leaves] })])).toEqual([]);
  });
});

describe("most of the SOL", () => {
  const paying = (to: Address) => [item([v.pay(9n * SOL, to)])];
  const paid = (to: string, end = SOL): readonly BalanceRow[] => [
    ["native", user, 10n * SOL, end],
    ["native", to, 0n, 9n * SOL],
  ];
  const most = { findings: [{ name: "majority_of_sol_leaves", account: user, description: "" }] };

  test("is ordinary to an address that the event names, and to no other", () => {
    expect(explained(paying(hot), [resultOf(paid(hot), most)])).toEqual([["majority_of_sol_leaves", "own_address"]]);
    expect(explained(paying(thief), [resultOf(paid(thief), most)])).toEqual([]);
    expect(explained(paying(thief), [resultOf(paid(hot), most)])).toEqual([]);
  });

  test("is not ordinary where more is gone than the own address gains", () => {
    expect(explained(paying(hot), [resultOf(paid(hot, SOL / 2n), most)])).toEqual([]);
  });

  test("of a sequence is ordinary only if the own address keeps it", () => {
    const on = system.getTransferSolInstruction({ source: w.signing(hot), destination: thief, amount: 9n * SOL });
    const second = resultOf(
      [
        ["native", hot, 9n * SOL, 0n],
        ["native", thief, 0n, 9n * SOL],
      ],
      { findings: [] },
    );

    expect(explained([...paying(hot), item([on], { payer: hot })], [resultOf(paid(hot), most), second])).toEqual([]);
  });
});

describe("shares of what is held", () => {
  const parts = (first: bigint, second: bigint, more: readonly BalanceRow[] = []): readonly BalanceRow[] => [
    [mint, user, 1_000n, 1_000n - first],
    [mint, thief, 0n, first],
    [otherMint, user, 1_000n, 1_000n - second],
    [otherMint, thief, 0n, second],
    ...more,
  ];
  const shares = (rows: readonly BalanceRow[], ...next: readonly (readonly BalanceRow[])[]) => {
    const results = [rows, ...next].map((each) => resultOf(each, { findings: [leaves] }));
    return explained(
      results.map(() => item(sweep())),
      results,
      [],
    ).map((each) => each[2])[0];
  };

  test("are added up, each rounded up", () => {
    expect(shares(parts(10n, 20n))).toBe(300);
    expect(
      shares([...parts(0n, 0n).map((row): BalanceRow => [row[0], row[1], 999_999n, row[1] === user ? 999_998n : 1n])]),
    ).toBe(2);
  });

  test("count what a stranger gains of the SOL, and no small change", () => {
    const sol = (gained: bigint): readonly BalanceRow[] => [
      ["native", user, 10n * SOL, 10n * SOL - 5_000n],
      ["native", thief, 0n, gained],
    ];
    expect(shares(parts(10n, 10n, sol(20_000_000n)))).toBe(200);
    expect(shares(parts(10n, 10n, sol(SOL)))).toBe(200 + 980);
  });

  test("are those of a sequence as a whole", () => {
    const later = parts(10n, 10n).map(
      ([of, holder, begin, end]): BalanceRow =>
        holder === user ? [of, holder, begin - 10n, end - 10n] : [of, holder, 10n, 20n],
    );
    expect(shares(parts(10n, 10n), later)).toBe(400);
  });
});

describe("rights", () => {
  const gaining = (name: string, gains: string | undefined, account: string = w.userTokens) => ({
    findings: [{ name, account, description: "", ...(gains === undefined ? {} : { gains }) }],
  });

  test.each([
    "token_owner_changed",
    "token_close_authority_changed",
    "token_authority_changed",
    "nonce_authority_changed",
    "stake_authority_changed",
    "stake_lockup_changed",
    "upgrade_authority_changed",
    "vote_account_changed",
    "approval_unknown_delegate",
    "approval_unlimited",
    "account_closed_to_stranger",
    "withdrawn_to_stranger",
    "account_for_another",
    "service_pays_stranger",
    "minted_for_another",
    "holdings_unread",
  ])("%s is ordinary for an address that the event names, and for no other", (name) => {
    expect(explained([item([])], [resultOf([], gaining(name, hot))])).toEqual([[name, "own_address"]]);
    for (const gains of [thief, undefined])
      expect(explained([item([])], [resultOf([], gaining(name, gains))])).toEqual([]);
  });

  test.each([
    "account_owner_changed",
    "account_allocated",
    "program_unknown",
    "program_upgraded",
    "instruction_unknown",
    "listed_address",
    "fee_high",
    "most_of_token_burnt",
    "payment_unclear",
  ])("%s is never ordinary", (name) => {
    expect(explained([item([])], [resultOf([], gaining(name, hot, hot))])).toEqual([]);
  });

  test("an instruction that gives a right to a stranger counts, whatever recipient the service states", () => {
    const give = token.getSetAuthorityInstruction({
      owned: w.userTokens,
      owner: signer,
      authorityType: token.AuthorityType.AccountOwner,
      newAuthority: thief,
    });
    const evidence = { exec_summary, results: [resultOf([], gaining("token_owner_changed", hot))] };
    const { worker_findings = [], worker_explanations = [] } = withOwnFindings([item([give])], evidence, [hot]);

    expect(worker_findings.map(({ name, gains }) => [name, gains])).toEqual([["token_owner_changed", thief]]);
    expect(worker_explanations.map(({ gains }) => gains)).toEqual([hot]);
  });

  test("what a service sends as explanations is dropped", () => {
    const worker_explanations = [
      { name: "token_owner_changed", account: w.userTokens, gains: thief, by: "own_address" as const },
    ];
    const evidence = {
      exec_summary,
      results: [resultOf([], gaining("token_owner_changed", thief))],
      worker_explanations,
    };

    expect(withOwnFindings([item([])], evidence, [hot])).not.toHaveProperty("worker_explanations");
  });

  test("an authority that is given up is no finding", () => {
    const drop = token.getSetAuthorityInstruction({
      owned: w.userTokens,
      owner: signer,
      authorityType: token.AuthorityType.CloseAccount,
      newAuthority: none(),
    });
    expect(explained([item([drop])], [resultOf([], { findings: [] })])).toEqual([]);
  });
});

describe("tokens that a delegate moves", () => {
  const source = w.named(71);
  const move = (destination: Address) => [item([checked(source, mint, destination, 9n)])];
  const moved = (from: string, to: string): readonly BalanceRow[] => [
    [mint, from, 9n, 0n],
    [mint, to, 0n, 9n],
  ];
  const lent = { findings: [{ name: "moved_as_delegate", account: source, gains: hot, description: "" }] };
  const deposit = w.named(102);

  test("are ordinary between addresses that the event names", () => {
    expect(explained(move(hotTokens), [resultOf(moved(deposit, hot), lent)], [hot, deposit])).toEqual([
      ["moved_as_delegate", "own_address"],
    ]);
  });

  test.each([
    ["the holder is a stranger", () => explained(move(hotTokens), [resultOf(moved(deposit, hot), lent)], [hot])],
    [
      "a stranger gets them",
      () => explained(move(w.thiefTokens), [resultOf(moved(deposit, thief), lent)], [hot, deposit]),
    ],
    [
      "the instruction pays a stranger",
      () => explained(move(w.thiefTokens), [resultOf(moved(deposit, hot), lent)], [hot, deposit]),
    ],
    ["they are burnt", () => explained(move(hotTokens), [resultOf([[mint, deposit, 9n, 0n]], lent)], [hot, deposit])],
    ["no balance shows them", () => explained(move(hotTokens), [resultOf([], lent)], [hot, deposit])],
  ])("are not ordinary where %s", (_what, run) => {
    expect(run()).toEqual([]);
  });
});

describe("a durable nonce", () => {
  const advance = (nonceAccount: Address) =>
    item([system.getAdvanceNonceAccountInstruction({ nonceAccount, nonceAuthority: signer }), v.pay(1n)]);
  const other = w.named(74);

  test("is ordinary where the event names the account of each nonce", () => {
    expect(explained([advance(v.nonce)], [resultOf([])], [v.nonce])).toEqual([["durable_nonce", "own_nonce"]]);
    expect(explained([advance(v.nonce)], [resultOf([])], [user])).toEqual([]);
    expect(explained([advance(v.nonce), advance(other)], [resultOf([]), resultOf([])], [v.nonce])).toEqual([]);
  });

  test("of a service's finding is ordinary only if the instruction names it", () => {
    const findings = [{ name: "durable_nonce", account: v.nonce, description: "" }];
    expect(explained([advance(other)], [resultOf([], { findings })], [v.nonce])).toEqual([]);
    expect(explained([item([v.pay(1n)])], [resultOf([], { findings })], [v.nonce])).toEqual([]);
  });
});

test("an unknown account that the event names is no warning", () => {
  const risks = [user, hot].map((address) => ({ address, risk_level: -1 }));
  const rows: readonly BalanceRow[] = [
    ["native", user, 10n * SOL, 9n * SOL],
    ["native", hot, SOL, 2n * SOL],
  ];
  const found = (named: readonly string[]) => {
    const results = [resultOf(rows, { involved_addresses_risks: risks })];
    return (withOwnFindings([item([v.pay(SOL, hot)])], { exec_summary, results }, named).worker_findings ?? []).filter(
      ({ name }) => name === "account_risk_unknown",
    );
  };

  expect(found([]).map(({ account }) => account)).toEqual([hot]);
  expect(found([hot])).toEqual([]);
});
