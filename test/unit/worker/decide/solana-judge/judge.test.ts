import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import { describe, expect, test } from "vitest";
import type { SimulationResult, SolanaTransaction } from "../../../../../src/api/schemas/solana-emulate.ts";
import { instructionsOf } from "../../../../../src/chains/solana/message/instructions-of.ts";
import { programs, WRAPPED_SOL } from "../../../../../src/chains/solana/programs.ts";
import { withOwnFindings } from "../../../../../src/worker/decide/solana-judge/judge.ts";
import { readMessage } from "../../../../../src/worker/plan/reading/solana-reading.ts";
import * as v from "../../../../fixtures/solana/vectors.ts";
import * as w from "../../../../fixtures/solana/world.ts";
import { type BalanceRow, resultOf } from "../../../../support/solana-results.ts";

const { user, friend, thief, mint } = w;
const signer = w.signing(user);
const SOL = 1_000_000_000n;
const exec_summary = { result_code: "000000000", result_description: "", error_data: null };
const item = (...given: Parameters<typeof w.serialized>): SolanaTransaction => ({
  ...w.serialized(...given),
  encoding: "base64",
});

/** A result completed with the other fields of a success. Existing fields stay. */
function whole(transaction: SolanaTransaction | undefined, result: SimulationResult): SimulationResult {
  const message = transaction === undefined ? undefined : readMessage(transaction);
  const programsOf = message?.ok === true ? instructionsOf(message.value).map(({ program }) => program) : [];
  const holders = (result.balance_changes ?? []).flatMap(({ change_list }) =>
    change_list.map(({ address }) => address),
  );
  const involved = [...new Set([user, friend, thief, ...programsOf, ...holders])];
  return {
    from: user,
    compute_units_consumed: 150,
    called_addresses: [...new Set(programsOf)],
    involved_addresses: involved,
    involved_addresses_risks: involved.map((address) => ({ address, risk_level: 0 })),
    ...result,
  };
}

function found(
  transactions: readonly SolanaTransaction[],
  results: readonly SimulationResult[],
  summary = exec_summary,
) {
  const all = results.map((each, i) => whole(transactions[i], each));
  const { worker_findings = [] } = withOwnFindings(transactions, { exec_summary: summary, results: all }, []);
  return worker_findings;
}
const names = (...given: Parameters<typeof found>) => found(...given).map(({ name }) => name);

const paid: readonly BalanceRow[] = [
  ["native", user, 10n * SOL, 9n * SOL],
  ["native", friend, 0n, SOL],
];
const payment = item([v.pay(SOL)]);
const fee: BalanceRow = ["native", user, 10n * SOL, 10n * SOL - 5_000n];
const sent = (amount: bigint): readonly BalanceRow[] => [
  [mint, user, 100n, 100n - amount],
  [mint, friend, 0n, amount],
];

describe("the source of findings", () => {
  test("the service's findings are used if each of its results has findings, and its worker_findings are dropped", () => {
    const evidence = { exec_summary, results: [resultOf(paid, { findings: [] })] };
    expect(withOwnFindings([payment], evidence, [])).toBe(evidence);
    const claiming = { ...evidence, worker_findings: [{ name: "durable_nonce", description: "" }] };
    expect(withOwnFindings([payment], claiming, [])).toEqual(evidence);
  });

  test("the worker judges if a result has no findings", () => {
    const worker_findings = [{ name: "durable_nonce", description: "" }];
    const evidence = { exec_summary, results: [whole(payment, resultOf(paid))], worker_findings };
    expect(withOwnFindings([payment], evidence, [])).toEqual({ ...evidence, worker_findings: [] });
  });
});

describe("a payment", () => {
  test("a payment that its balances show in full has no finding", () => {
    expect(names([payment], [resultOf(paid)])).toEqual([]);
    expect(names([item([v.send(5n)])], [resultOf([fee, ...sent(5n)])])).toEqual([]);
  });

  test.each<[string, SimulationResult, string]>([
    ["no balances", { error: null }, "the answer tells no balances that read"],
    ["an empty list of them", resultOf([]), "no balance shows what moves"],
    ["one holder twice", resultOf([...paid, paid[0] as BalanceRow]), "the answer tells no balances that read"],
    ["an error", resultOf([], { error: "AccountNotFound" }), "the simulation failed"],
    [
      "another program",
      resultOf(paid, { called_addresses: [programs.system, thief] }),
      `the program ${thief} runs inside it`,
    ],
  ])("a payment with %s in the answer is not shown", (_what, result, reason) => {
    const [first, ...rest] = found([payment], [result]);
    expect([first?.name, rest]).toEqual(["rights_not_shown", []]);
    expect(first?.description.startsWith(`${reason}: the service gives no findings`)).toBe(true);
  });

  test.each([
    ["begin_value", ""],
    ["begin_value", "-5"],
    ["end_value", "1e9"],
    ["delta_value", "7"],
    ["delta_value", ""],
  ])("a payment with the field %s as %j in a balance is not shown", (field, value) => {
    const result = resultOf(paid);
    for (const { change_list } of result.balance_changes ?? []) for (const each of change_list) each[field] = value;
    expect(names([payment], [result])).toEqual(["rights_not_shown"]);
  });

  test("a payment may have a sign before a gain", () => {
    const result = resultOf(paid);
    const [, gain] = result.balance_changes?.[0]?.change_list ?? [];
    if (gain !== undefined) gain.delta_value = `+${gain.delta_value}`;
    expect(names([payment], [result])).toEqual([]);
  });

  test("a payment without a result, or in a request that failed as a whole, is not shown", () => {
    expect(names([payment, payment], [resultOf(paid)])).toEqual(["rights_not_shown"]);
    expect(names([payment], [resultOf(paid)], { ...exec_summary, result_code: "1" })).toEqual(["rights_not_shown"]);
  });

  test("a payment to an account in a lookup table is not shown", () => {
    const tabled = item([v.pay(SOL)], { tables: { [w.named(50)]: [friend] } });
    expect(
      found([tabled], [resultOf(paid)])
        .map(({ description }) => description)
        .join(),
    ).toContain("a lookup table");
  });
});

describe("instructions", () => {
  const transfer = v.pay(1_000n);
  const little: readonly BalanceRow[] = [
    ["native", user, SOL, SOL - 1_000n],
    ["native", friend, SOL, SOL + 1_000n],
  ];
  const made = v.raw(
    programs.associatedToken,
    [1],
    [v.sign(user), v.write(w.named(51)), v.read(friend), v.read(mint), v.read(programs.system), v.read(programs.token)],
  );
  const madeWith = (change: (accounts: readonly object[]) => readonly object[], data: readonly number[] = [1]) =>
    v.raw(programs.associatedToken, data, change(made.accounts ?? []) as NonNullable<typeof made.accounts>);

  const nonceAccounts = [v.write(w.named(58)), v.read(w.named(57)), v.sign(user)];
  const advance = ({ number = 4, accounts = 3 } = {}) =>
    v.raw(programs.system, [...v.u32(number)], nonceAccounts.slice(-accounts));

  test.each([
    ["a nonce that advances", advance(), true],
    ["a nonce that advances by another number of accounts", advance({ accounts: 2 }), false],
    ["as many bytes of another number", advance({ number: 5 }), false],
    ["a memo", v.raw(programs.memo, [104]), true],
    ["a memo of before", v.raw(programs.oldMemo, [104]), true],
    ["a limit of computing", v.raw(programs.computeBudget, [2, ...v.u32(5)]), true],
    ["a number that the compute budget does not have", v.raw(programs.computeBudget, [9]), false],
    ["a limit that names an account", v.raw(programs.computeBudget, [2, ...v.u32(5)], [v.read(friend)]), false],
    ["a transfer that names one more", { ...transfer, accounts: [...(transfer.accounts ?? []), v.read(thief)] }, false],
    [
      "a transfer with more data",
      v.raw(programs.system, [...v.u32(2), ...v.u64(5n), 0], [v.sign(user), v.write(friend)]),
      false,
    ],
    [
      "another number of as many bytes",
      v.raw(programs.system, [...v.u32(8), ...v.u64(5n)], [v.sign(user), v.write(friend)]),
      false,
    ],
    ["an account", made, true],
    ["an account by no number", madeWith((all) => all, []), true],
    ["an account that names the rent", madeWith((all) => [...all, v.read(thief)]), true],
    ["an account that names two more", madeWith((all) => [...all, v.read(thief), v.read(thief)]), false],
    ["an account of Token-2022", madeWith((all) => [...all.slice(0, 5), v.read(programs.token2022)]), false],
    ["an account within an account", madeWith((all) => all, [2]), false],
    ["tokens for nobody", v.send(0n), false],
    [
      "tokens of several",
      v.raw(
        programs.token,
        [3, ...v.u64(5n)],
        [v.write(w.userTokens), v.write(w.friendTokens), v.read(thief), v.sign(user)],
      ),
      false,
    ],
    [
      "tokens that are cut short",
      v.raw(programs.token, [3, 1], [v.write(w.userTokens), v.write(w.friendTokens), v.sign(user)]),
      false,
    ],
    [
      "a token account that is closed",
      token.getCloseAccountInstruction({ account: w.userTokens, destination: user, owner: signer }),
      false,
    ],
    ["a program that nobody reads", v.raw(w.named(70), [7]), false],
  ])("%s", (_what, instruction, isShown) => {
    expect(names([item([transfer, instruction])], [resultOf(little)])).toEqual(isShown ? [] : ["rights_not_shown"]);
  });

  test("instructions that balances do not show are listed by program and number, each once, and shortened", () => {
    const unread = v.raw(w.named(70), [7]);
    const [said] = found([item([unread, unread, v.raw(w.named(71), [])])], [resultOf(paid)]);
    expect(said?.description.split(": ").at(0)).toBe(
      `it calls the program ${w.named(70)} by number 7; it calls the program ${w.named(71)}`,
    );
    const [most] = found([item(Array.from({ length: 10 }, (_, n) => v.raw(w.named(70), [n])))], [resultOf(paid)]);
    expect(most?.description).toContain("by number 7; and 2 more");
  });
});

describe("delegated tokens", () => {
  test("delegated tokens are reported when they leave a holder that does not sign", () => {
    const rows: readonly BalanceRow[] = [fee, [mint, friend, 9n, 4n], [mint, thief, 0n, 5n]];
    expect(names([item([v.send(5n)])], [resultOf(rows)])).toEqual(["moved_as_delegate", "rights_not_shown"]);
  });

  test("delegated tokens that come back are not shown, because no balance changes", () => {
    const loop = [v.send(5n), v.send(5n, w.userTokens)];
    expect(
      found([item(loop)], [resultOf([fee])])
        .map(({ description }) => description)
        .join(),
    ).toContain(`${user} sends tokens that no balance shows`);
    expect(names([item([...loop, v.send(7n)])], [resultOf([fee, ...sent(7n)])])).toEqual(["rights_not_shown"]);
  });

  test("tokens that a program moves itself are not reported as delegated", () => {
    const rows: readonly BalanceRow[] = [fee, [mint, friend, 9n, 4n], [mint, user, 0n, 5n]];
    expect(names([item([v.raw(w.named(70), [7])])], [resultOf(rows)])).toEqual(["rights_not_shown"]);
  });
});

describe("assets that leave a signer", () => {
  const other = w.otherMint;
  const both = item([
    v.send(5n),
    token.getTransferInstruction({
      source: w.userOtherTokens,
      destination: w.thiefOtherTokens,
      authority: signer,
      amount: 7n,
    }),
  ]);
  const drained: readonly BalanceRow[] = [
    fee,
    [mint, user, 5n, 0n],
    [mint, thief, 0n, 5n],
    [other, user, 7n, 0n],
    [other, thief, 0n, 7n],
  ];

  test("leaving assets are judged as the service judges them", () => {
    expect(names([both], [resultOf(drained)])).toEqual(["several_assets_leave"]);
    expect(
      names(
        [payment],
        [
          resultOf([
            ["native", user, SOL + 5_000n, 0n],
            ["native", friend, 0n, SOL],
          ]),
        ],
      ),
    ).toEqual(["majority_of_sol_leaves"]);
  });

  test("an exchange for another asset is not shown, because it has no price here", () => {
    const token3 = w.named(23);
    expect(names([both], [resultOf([...drained, [token3, user, 0n, 1n]])])).toEqual(["rights_not_shown"]);
    const sold = drained.slice(1);
    expect(names([both], [resultOf([["native", user, SOL, 2n * SOL], ...sold])])).toEqual(["rights_not_shown"]);
    // A gain as small as a returned rent is no price, and no instruction states it either.
    expect(names([both], [resultOf([["native", user, SOL, SOL + 20_000_000n], ...sold])])).toEqual([
      "several_assets_leave",
      "rights_not_shown",
    ]);
  });

  test("wrapped SOL counts as SOL, and wrapping it is no loss", () => {
    const rows: readonly BalanceRow[] = [
      ["native", user, 10n * SOL, SOL],
      [WRAPPED_SOL, user, 0n, 9n * SOL],
      ["native", w.named(66), 0n, 9n * SOL],
    ];
    // The wrapping is no plain transfer, so the answer is not clear, but most of the SOL does not leave.
    expect(names([item([v.pay(9n * SOL, w.named(66))])], [resultOf(rows)])).toEqual(["rights_not_shown"]);
  });
});

test("a gain above the rent beside a new account is reported", () => {
  const makes = v.raw(
    programs.associatedToken,
    [1],
    [v.sign(user), v.write(w.named(51)), v.read(friend), v.read(mint), v.read(programs.system), v.read(programs.token)],
  );
  const wraps = { ...makes, accounts: (makes.accounts ?? []).map((each, i) => (i === 3 ? v.read(WRAPPED_SOL) : each)) };
  const rows = (amount: bigint): readonly BalanceRow[] => [
    ["native", user, 10n * SOL, 10n * SOL - amount],
    ["native", friend, 0n, amount],
  ];
  expect(names([item([makes, v.pay(20_000_001n)])], [resultOf(rows(20_000_001n))])).toEqual(["account_for_another"]);
  expect(names([item([makes, v.pay(20_000_000n)])], [resultOf(rows(20_000_000n))])).toEqual([]);
  expect(names([item([wraps, v.pay(SOL)])], [resultOf(rows(SOL))])).toEqual([]);
});

describe("a sequence", () => {
  const later = (begin: bigint): readonly BalanceRow[] => [
    ["native", user, begin, begin - SOL],
    ["native", friend, SOL, 2n * SOL],
  ];

  test("a sequence that continues is judged as a whole", () => {
    expect(names([payment, payment], [resultOf(paid), resultOf(later(9n * SOL))])).toEqual([]);
    const most = [9n, 8n, 7n, 6n, 5n].map((left) =>
      resultOf([
        ["native", user, left * SOL, (left - 1n) * SOL],
        ["native", friend, (9n - left) * SOL, (10n - left) * SOL],
      ]),
    );
    expect(
      names(
        most.map(() => payment),
        most,
      ),
    ).toEqual(["majority_of_sol_leaves"]);
  });

  test("a sequence in which each transaction begins anew is not followed", () => {
    const again = paid;
    const [said, ...rest] = found([payment, payment], [resultOf(paid), resultOf(again)]);
    expect([said?.name, said?.account, rest]).toEqual(["sequence_not_followed", user, []]);
  });
});

describe("rights that instructions state", () => {
  const authority = (authorityType: token.AuthorityType) =>
    token.getSetAuthorityInstruction({ owned: w.userTokens, owner: signer, authorityType, newAuthority: thief });
  const nonce = (to: typeof user) =>
    system.getAuthorizeNonceAccountInstruction({
      nonceAccount: v.nonce,
      nonceAuthority: signer,
      newNonceAuthority: to,
    });
  const stake = (to: typeof user) =>
    v.raw(
      programs.stake,
      [
        ...v.u32(1),
        ...Buffer.from(
          system
            .getAuthorizeNonceAccountInstruction({
              nonceAccount: v.nonce,
              nonceAuthority: signer,
              newNonceAuthority: to,
            })
            .data.slice(4),
        ),
        ...v.u32(1),
      ],
      [v.write(v.stake), v.sign(user)],
    );
  const upgrade = (number: number, ...accounts: readonly (typeof user)[]) =>
    v.raw(
      programs.upgradeableLoader,
      v.u32(number),
      accounts.map((each) => v.write(each)),
    );

  test.each([
    ["the owner of tokens", authority(token.AuthorityType.AccountOwner), "token_owner_changed", thief],
    ["who may close them", authority(token.AuthorityType.CloseAccount), "token_close_authority_changed", thief],
    ["a nonce", nonce(thief), "nonce_authority_changed", thief],
    ["a stake", stake(thief), "stake_authority_changed", thief],
    ["who may replace a program", upgrade(4, w.named(80), user, thief), "upgrade_authority_changed", thief],
    ["a program's code", upgrade(3, w.named(80), w.named(81), w.named(82)), "program_upgraded", undefined],
    [
      "a wallet",
      system.getAssignInstruction({ account: signer, programAddress: w.named(70) }),
      "account_owner_changed",
      w.named(70),
    ],
  ])("%s", (_what, instruction, name, gains) => {
    const [first] = found([item([instruction])], [resultOf([fee])]);
    expect([first?.name, first?.gains]).toEqual([name, gains]);
  });

  test.each([
    ["a nonce that stays with who signs", nonce(user)],
    ["a stake that does", stake(user)],
    [
      "a wallet that stays the system's",
      system.getAssignInstruction({ account: signer, programAddress: programs.system as typeof user }),
    ],
    [
      "an account of one who does not pay",
      system.getAssignInstruction({ account: w.signing(friend), programAddress: w.named(70) }),
    ],
  ])("%s is no handover, and is still not shown", (_what, instruction) => {
    expect(names([item([instruction])], [resultOf([fee])])).toEqual(["rights_not_shown"]);
  });

  test("a high fee, and a durable nonce", () => {
    const budget = [
      v.raw(programs.computeBudget, [2, ...v.u32(1_000_000)]),
      v.raw(programs.computeBudget, [3, ...v.u64(200_000n)]),
    ];
    expect(names([item([...budget, v.pay(SOL)])], [resultOf(paid)])).toEqual([]);
    const dear = [
      v.raw(programs.computeBudget, [2, ...v.u32(1_000_000)]),
      v.raw(programs.computeBudget, [3, ...v.u64(200_000_000n)]),
    ];
    expect(names([item([...dear, v.pay(SOL)])], [resultOf(paid)])).toEqual(["fee_high"]);
    const advance = system.getAdvanceNonceAccountInstruction({ nonceAccount: v.nonce, nonceAuthority: signer });
    expect(names([item([advance, v.pay(SOL)])], [resultOf(paid)])).toEqual(["durable_nonce"]);
  });
});
