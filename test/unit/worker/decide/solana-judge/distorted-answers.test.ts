/** Answers that are incomplete, distorted or contradictory. None is ALLOW. */
import { describe, expect, test } from "vitest";
import { programs, WRAPPED_SOL } from "../../../../../src/chains/solana/programs.ts";
import type { EvidenceOf } from "../../../../../src/messages/evidence.ts";
import { simulationRule } from "../../../../../src/worker/decide/findings/solana-simulation.ts";
import { withOwnFindings } from "../../../../../src/worker/decide/solana-judge/judge.ts";
import { defaultPolicy } from "../../../../fakes/events.ts";
import { subject } from "../../../../fakes/evidence.ts";
import * as v from "../../../../fixtures/solana/vectors.ts";
import * as w from "../../../../fixtures/solana/world.ts";
import { type Drawn, honestSimulation, type Payment } from "../../../../support/honest-simulation.ts";

type Answer = EvidenceOf<"solana-simulation">;
type Result = Answer["results"][number];
type Token = NonNullable<Result["balance_changes"]>[number];

const { user, friend, thief, mint, otherMint } = w;
const SOL = 1_000_000_000n;
const fresh = w.named(95);
const paying = (...payments: readonly Payment[]): Drawn => ({ payments, hasMemo: false, price: undefined });
const sol = (to = friend, amount = 100n * SOL) => paying({ kind: "sol", to, amount });
const tokens = (to = friend, isChecked = true) => paying({ kind: "tokens", to, amount: 5n, isChecked });
const made = paying({ kind: "made", to: fresh, amount: 5n });

/** The findings for these transactions with the honest answer after `change`, without INFO. */
function found(drawn: readonly Drawn[], change: (answer: Answer) => void = () => undefined): readonly string[] {
  const { transactions, answer } = honestSimulation(drawn, [friend]);
  const other = structuredClone(answer) as Answer;
  change(other);
  const findings =
    simulationRule(withOwnFindings(transactions, other, []), { subject, table: defaultPolicy.table }) ?? [];
  return findings.filter(({ severity }) => severity !== "INFO").map(({ finding }) => finding);
}

const result = (answer: Answer, place = 0) => answer.results[place] as Result;
const listOf = (answer: Answer, coin = "native", place = 0) =>
  result(answer, place).balance_changes?.find(({ token_address }) => token_address === coin) as Token;
const entryOf = (answer: Answer, who: string, coin = "native", place = 0) =>
  listOf(answer, coin, place).change_list.find(({ address }) => address === who) as Token["change_list"][number];
const without = (token: Token, who: string) => {
  token.change_list = token.change_list.filter(({ address }) => address !== who);
};
function rate(answer: Answer, who: string, level: number, place = 0): void {
  const risks = result(answer, place).involved_addresses_risks ?? [];
  result(answer, place).involved_addresses_risks = [
    ...risks.filter(({ address }) => address !== who),
    { address: who, risk_level: level },
  ];
}
const tokenList = (token_address: string, ...rows: readonly (readonly [string, bigint, bigint])[]): Token => ({
  token_address,
  tokenName: "",
  symbol: "",
  divisor: "",
  tokenPriceUSD: "",
  change_list: rows.map(([address, begin, end]) => ({
    address,
    amount_change: "",
    begin_value: String(begin),
    delta_value: String(end - begin),
    end_value: String(end),
    value_usd: "",
  })),
});
/** Removes the balances of SOL, and the accounts that appear only there. */
function withoutSol(answer: Answer, place = 0): void {
  const { change_list } = listOf(answer, "native", place);
  result(answer, place).balance_changes?.shift();
  const gone = change_list.flatMap(({ address }) => (address === user ? [] : [address]));
  const left = result(answer, place).involved_addresses?.filter((each) => !gone.includes(each)) ?? [];
  const risks = result(answer, place).involved_addresses_risks?.filter(({ address }) => left.includes(address)) ?? [];
  Object.assign(result(answer, place), { involved_addresses: left, involved_addresses_risks: risks });
}
const set = (answer: Answer, who: string, begin: bigint, end: bigint) => {
  const [row] = tokenList("", [who, begin, end]).change_list;
  Object.assign(entryOf(answer, who), row);
};

test.each<[string, readonly Drawn[]]>([
  ["SOL", [sol()]],
  ["SOL for a fresh wallet", [sol(fresh)]],
  ["tokens", [tokens()]],
  ["tokens by the older instruction", [tokens(friend, false)]],
  ["tokens for an account that is made", [made]],
  ["a sequence", [sol(friend, SOL), tokens(), sol(friend, SOL)]],
])("the honest answer is clear: %s", (_what, drawn) => {
  expect(found(drawn)).toEqual([]);
});

test.each<[string, readonly Drawn[], (answer: Answer) => void]>([
  ["the fee", [sol()], (answer) => set(answer, user, 1_000n * SOL, 900n * SOL)],
  ["a fee alone", [tokens()], (answer) => withoutSol(answer)],
  ["fee and rent", [made], (answer) => withoutSol(answer)],
  ["the fee beside the rent", [made], (answer) => set(answer, user, 1_000n * SOL, 1_000n * SOL - 2_039_280n)],
])("an answer may omit %s", (_what, drawn, change) => {
  expect(found(drawn, change)).toEqual([]);
});

test("an answer may not omit the rents of many new accounts", () => {
  const many = (count: number) =>
    paying(...Array.from({ length: count }, (_, n): Payment => ({ kind: "made", to: w.named(100 + n), amount: 1n })));
  expect(found([many(9)], withoutSol)).toEqual([]);
  expect(found([many(10)], withoutSol)).toEqual(["rights_not_shown"]);
  const cutBoth = (answer: Answer) => [0, 1].forEach((place) => void withoutSol(answer, place));
  expect(found([many(5), paying({ kind: "made", to: w.named(110), amount: 1n })], cutBoth)).toEqual([]);
  expect(found([many(5), many(5)], cutBoth)).toEqual(["rights_not_shown"]);
});

describe("a transfer of 100 SOL is not clear", () => {
  test.each<[string, (answer: Answer) => void]>([
    ["with a list without entries", (answer) => (listOf(answer).change_list = [])],
    ["with the receiver's entry alone", (answer) => without(listOf(answer), user)],
    ["without the receiver's entry", (answer) => without(listOf(answer), friend)],
    [
      "with the fee alone",
      (answer) => {
        without(listOf(answer), friend);
        set(answer, user, 1_000n * SOL, 1_000n * SOL - 5_000n);
      },
    ],
    [
      "with another token alone",
      (answer) => (result(answer).balance_changes = [tokenList(otherMint, [user, 9n, 8n], [friend, 0n, 1n])]),
    ],
    [
      "with another token beside",
      (answer) => result(answer).balance_changes?.push(tokenList(otherMint, [user, 9n, 8n])),
    ],
    [
      "with 1 SOL",
      (answer) => {
        set(answer, user, 1_000n * SOL, 999n * SOL - 5_000n);
        set(answer, friend, 7n * SOL, 8n * SOL);
      },
    ],
    ["with one lamport more", (answer) => set(answer, friend, 7n * SOL, 107n * SOL + 1n)],
    ["with a fee that no instruction states", (answer) => set(answer, user, 1_000n * SOL, 900n * SOL - 5_001n)],
    ["with a fee below that of its signature", (answer) => set(answer, user, 1_000n * SOL, 900n * SOL - 4_999n)],
    [
      "with another receiver",
      (answer) => {
        entryOf(answer, friend).address = thief;
        result(answer).involved_addresses?.push(thief);
        rate(answer, thief, 0);
      },
    ],
    [
      "with one more receiver",
      (answer) => {
        listOf(answer).change_list.push(...tokenList("", [thief, 0n, 1n]).change_list);
        result(answer).involved_addresses?.push(thief);
        rate(answer, thief, 0);
      },
    ],
    ["as wrapped SOL", (answer) => (listOf(answer).token_address = WRAPPED_SOL)],
    ["under a name that nobody knows", (answer) => (listOf(answer).token_address = "LAMPORTS")],
    ["with other decimals", (answer) => (listOf(answer).divisor = "6")],
    ["with decimals that are none", (answer) => (listOf(answer).divisor = "1e9")],
    ["with an amount of another sign", (answer) => (entryOf(answer, user).amount_change = "100.000005")],
    ["with an amount that is off by orders", (answer) => (entryOf(answer, friend).amount_change = "0.1")],
    [
      "with the payer twice, by two names of the coin",
      (answer) => result(answer).balance_changes?.push(tokenList("SOL", [user, 900n * SOL - 5_000n, 1_000n * SOL])),
    ],
  ])("%s", (_what, change) => {
    expect(found([sol()], change)).toContain("rights_not_shown");
  });

  test.each(["Native", "NATIVE", "SOL", "sol"])("except for a coin with the name %s", (name) => {
    const named = (answer: Answer) => (listOf(answer).token_address = name);
    expect(found([sol()], named)).toEqual([]);
    const cut = (answer: Answer) => {
      without(listOf(answer), user);
      named(answer);
    };
    expect(found([sol()], cut)).toEqual(["rights_not_shown"]);
  });
});

describe("a transfer of tokens is not clear", () => {
  test.each<[string, Drawn, (answer: Answer) => void]>([
    ["without the receiver's entry", tokens(), (answer) => without(listOf(answer, mint), friend)],
    ["as another token", tokens(), (answer) => (listOf(answer, mint).token_address = otherMint)],
    [
      "with other decimals",
      tokens(),
      (answer) =>
        Object.assign(listOf(answer, mint), tokenList(mint), {
          divisor: "9",
          change_list: tokenList(mint, [user, 1_000_000_000n, 999_999_995n], [friend, 7n, 12n]).change_list,
        }),
    ],
    [
      "that two get, where one is paid",
      tokens(),
      (answer) => {
        listOf(answer, mint).change_list = tokenList(
          mint,
          [user, 9n, 4n],
          [friend, 0n, 3n],
          [thief, 0n, 2n],
        ).change_list;
        result(answer).involved_addresses?.push(thief);
        rate(answer, thief, 0);
      },
    ],
    [
      "that another wallet gets than the one whose account is made",
      made,
      (answer) => {
        entryOf(answer, fresh, mint).address = thief;
        result(answer).involved_addresses?.push(thief);
        rate(answer, thief, 0);
      },
    ],
    [
      "that leave somebody who sends none",
      sol(),
      (answer) => result(answer).balance_changes?.push(tokenList(otherMint, [friend, 9n, 8n], [user, 0n, 1n])),
    ],
    ["without the rent that its payer pays", made, (answer) => set(answer, user, 1_000n * SOL, 1_000n * SOL - 5_000n)],
  ])("%s", (_what, drawn, change) => {
    expect(found([drawn], change)).toContain("rights_not_shown");
  });

  test("when two lists state different decimals", () => {
    const apart = (decimals: string) => (answer: Answer) => {
      const [sent, got] = [entryOf(answer, user, mint), entryOf(answer, friend, mint)];
      const emptied = [sent, got].map((each) => ({ ...each, amount_change: "" }));
      const [first, second] = emptied.map((each) => ({ ...listOf(answer, mint), change_list: [each] }));
      if (first === undefined || second === undefined) throw new Error("no entries");
      result(answer).balance_changes = [listOf(answer), first, { ...second, divisor: decimals }];
    };
    expect(found([tokens(friend, false)], apart("6"))).toEqual([]);
    expect(found([tokens(friend, false)], apart("9"))).toEqual(["rights_not_shown"]);
  });

  test("and wrapped SOL may appear in its accounts or not", () => {
    const transfer = v.raw(
      programs.token,
      [3, ...v.u64(5n)],
      [v.write(w.userTokens), v.write(w.friendTokens), v.sign(user)],
    );
    const wrapped = tokenList(WRAPPED_SOL, [user, 10n, 5n], [friend, 0n, 5n]);
    const places = tokenList(
      "native",
      [w.userTokens, 2_039_290n, 2_039_285n],
      [w.friendTokens, 2_039_280n, 2_039_285n],
    );
    const judged = (...balance_changes: readonly Token[]) => {
      const involved = [user, friend, w.userTokens, w.friendTokens];
      const answer: Answer = {
        exec_summary: { result_code: "000000000", result_description: "", error_data: null },
        results: [
          {
            error: null,
            called_addresses: [programs.token],
            involved_addresses_risks: involved.map((address) => ({ address, risk_level: 0 })),
            balance_changes: [...balance_changes],
          },
        ],
      };
      const { worker_findings = [] } = withOwnFindings(
        [{ ...w.serialized([transfer]), encoding: "base64" }],
        answer,
        [],
      );
      return worker_findings.map(({ name }) => name);
    };
    expect(judged(wrapped)).toEqual([]);
    expect(judged(wrapped, places)).toEqual([]);
    expect(judged(wrapped, tokenList("native", [w.userTokens, 9n, 4n]))).toEqual(["rights_not_shown"]);
    expect(judged(tokenList(mint, [user, 10n, 5n], [friend, 0n, 5n]), places)).toEqual(["rights_not_shown"]);
  });
});

describe("the rent of a new token account", () => {
  const RENT = 2_039_280n;
  const account = (answer: Answer) => {
    const known = [user, fresh];
    return listOf(answer).change_list.find(({ address }) => !known.includes(address as never))?.address ?? "";
  };
  const shift = (answer: Answer, who: string, by: bigint) => {
    const entry = entryOf(answer, who);
    const end = BigInt(entry.end_value) + by;
    Object.assign(entry, {
      amount_change: "",
      end_value: String(end),
      delta_value: String(end - BigInt(entry.begin_value)),
    });
  };
  const atWallet = (answer: Answer) => {
    entryOf(answer, account(answer)).address = fresh;
  };

  test("the rent may be missing at the account", () => {
    expect(found([made], (answer) => without(listOf(answer), account(answer)))).toEqual([]);
  });

  test("the rent may be shown at the account's wallet", () => {
    expect(found([made], atWallet)).toEqual([]);
  });

  test("the rent may be shown at a wallet that also receives SOL", () => {
    const both = paying({ kind: "made", to: fresh, amount: 5n }, { kind: "sol", to: fresh, amount: 1_000_000n });
    const byHolder = (answer: Answer) => {
      without(listOf(answer), account(answer));
      shift(answer, fresh, RENT);
    };
    expect(found([both], byHolder)).toEqual([]);
    expect(found([both], (answer) => without(listOf(answer), account(answer)))).toEqual([]);
  });

  test.each<[string, (answer: Answer) => void]>([
    ["a lamport more of the payer", (answer) => shift(answer, user, -1n)],
    ["a lamport less of the payer", (answer) => shift(answer, user, 5_001n)],
    ["two of the payer", (answer) => shift(answer, user, -RENT)],
    [
      "one at another holder",
      (answer) =>
        listOf(answer).change_list.push({
          ...entryOf(answer, user),
          address: thief,
          begin_value: "0",
          delta_value: String(RENT),
          end_value: String(RENT),
          amount_change: "",
        }),
    ],
  ])("the rent is not clear with %s", (_what, change) => {
    const other = (answer: Answer) => {
      without(listOf(answer), account(answer));
      change(answer);
    };
    expect(found([made], other)).toContain("rights_not_shown");
  });

  test("the rent is not clear with a lamport more at its wallet", () => {
    const more = (answer: Answer) => {
      atWallet(answer);
      shift(answer, fresh, 1n);
    };
    expect(found([made], more)).toContain("rights_not_shown");
  });
});

describe("a sequence is not clear", () => {
  test("without the payer's entry in a later transaction", () => {
    expect(found([sol(), sol()], (answer) => without(listOf(answer, "native", 1), user))).toContain("rights_not_shown");
  });

  test("with a balance that does not continue", () => {
    const change = (answer: Answer) =>
      Object.assign(result(answer, 1), { balance_changes: result(answer).balance_changes });
    expect(found([sol(), sol()], change)).toEqual(["sequence_not_followed"]);
  });

  test("with one result too many", () => {
    expect(found([sol()], (answer) => answer.results.push(result(answer)))).toContain("rights_not_shown");
  });
});

describe("an answer without the risk level of an account has not judged the account", () => {
  test.each<[string, (answer: Answer) => void]>([
    ["an empty list", (answer) => (result(answer).involved_addresses_risks = [])],
    ["no list", (answer) => Reflect.deleteProperty(result(answer), "involved_addresses_risks")],
    ["no fee payer", (answer) => dropRisk(answer, user)],
    ["no receiver", (answer) => dropRisk(answer, friend)],
    ["no program that runs inside", (answer) => result(answer).called_addresses?.push(thief)],
    [
      "none of an account that it counts among the involved",
      (answer) => result(answer).involved_addresses?.push(thief),
    ],
    ["an account of the balances that is not involved", (answer) => (result(answer).involved_addresses = [user])],
  ])("%s", (_what, change) => {
    expect(found([sol()], change)).toContain("rights_not_shown");
  });

  const dropRisk = (answer: Answer, who: string) => {
    const risks = result(answer).involved_addresses_risks ?? [];
    result(answer).involved_addresses_risks = risks.filter(({ address }) => address !== who);
  };
});

describe("a simulation that did not run, or ran another transaction", () => {
  test.each<[string, (answer: Answer) => void, string]>([
    ["an error beside a code of success", (answer) => (answer.exec_summary.error_data = "boom"), "simulation_failed"],
    ["an empty one", (answer) => (answer.exec_summary.error_data = ""), "simulation_failed"],
    ["no word of an error", (answer) => Reflect.deleteProperty(result(answer), "error"), "rights_not_shown"],
    ["no computing", (answer) => (result(answer).compute_units_consumed = 0), "rights_not_shown"],
    ["no program", (answer) => (result(answer).called_addresses = []), "rights_not_shown"],
    ["no list of programs", (answer) => Reflect.deleteProperty(result(answer), "called_addresses"), "rights_not_shown"],
    ["another fee payer", (answer) => (result(answer).from = friend), "rights_not_shown"],
    ["another first program", (answer) => (result(answer).to = programs.token), "rights_not_shown"],
    ["no first program", (answer) => (result(answer).to = null), "rights_not_shown"],
    ["no involved account", (answer) => (result(answer).involved_addresses = []), "rights_not_shown"],
  ])("the answer has %s", (_what, change, finding) => {
    expect(found([sol()], change)).toContain(finding);
  });
});

describe("an account that the service does not know", () => {
  test("such an account is a warning if it holds coins or tokens, and none if it is fresh", () => {
    expect(found([sol()], (answer) => rate(answer, friend, -1))).toEqual(["account_risk_unknown"]);
    expect(found([tokens()], (answer) => rate(answer, friend, -1))).toEqual(["account_risk_unknown"]);
    expect(found([sol(fresh)], (answer) => rate(answer, fresh, -1))).toEqual([]);
    expect(found([sol(fresh), sol(fresh)], (answer) => rate(answer, fresh, -1, 1))).toEqual([]);
  });

  test("such an account is a warning if no balance shows it", () => {
    const involving = (answer: Answer) => {
      result(answer).involved_addresses?.push(thief);
      rate(answer, thief, -1);
    };
    expect(found([sol()], involving)).toEqual(["account_risk_unknown"]);
  });

  test("such an account is no warning if it is the sender", () => {
    expect(found([sol()], (answer) => rate(answer, user, -1))).toEqual([]);
    expect(found([tokens()], (answer) => rate(answer, user, -1))).toEqual([]);
  });

  test("such an account is a warning if it pays the fee for another signer", () => {
    const transactions = [{ ...w.serialized([v.pay(SOL)], { payer: thief }), encoding: "base64" as const }];
    const { answer } = honestSimulation([sol()], [friend]);
    const named = {
      ...answer,
      results: [
        {
          ...answer.results[0],
          from: thief,
          involved_addresses_risks: [
            { address: thief, risk_level: -1 },
            { address: user, risk_level: -1 },
          ],
        },
      ],
    };
    const { worker_findings = [] } = withOwnFindings(transactions, named, []);
    expect(worker_findings.flatMap(({ name, account }) => (name === "account_risk_unknown" ? [account] : []))).toEqual([
      thief,
    ]);
  });

  test("such an account is a warning as a program and as a token", () => {
    expect(found([tokens()], (answer) => rate(answer, mint, -1))).toEqual(["token_risk_unknown"]);
    const program = w.named(70);
    const calling = (answer: Answer) => {
      result(answer).called_addresses?.push(program);
      rate(answer, program, -1);
    };
    expect(found([sol()], calling).toSorted()).toEqual(["program_risk_unknown", "rights_not_shown"]);
  });

  test("such an account is no new token because it receives another token", () => {
    const gifted = (answer: Answer) => {
      rate(answer, mint, -1);
      result(answer).balance_changes?.push(tokenList(otherMint, [mint, 0n, 5n]));
    };
    expect(found([tokens()], gifted)).toContain("token_risk_unknown");
  });
});
