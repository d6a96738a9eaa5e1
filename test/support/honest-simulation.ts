import type { Address, Instruction } from "@solana/kit";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import type { SolanaTransaction } from "../../src/api/schemas/solana-emulate.ts";
import { amountText } from "../../src/chains/solana/amount-text.ts";
import { programs } from "../../src/chains/solana/programs.ts";
import type { EvidenceOf } from "../../src/messages/evidence.ts";
import * as v from "../fixtures/solana/vectors.ts";
import * as w from "../fixtures/solana/world.ts";

/** One payment of a random transaction; amounts in the smallest unit. */
export type Payment =
  | { readonly kind: "sol"; readonly to: Address; readonly amount: bigint }
  | { readonly kind: "tokens"; readonly to: Address; readonly amount: bigint; readonly isChecked: boolean }
  | { readonly kind: "made"; readonly to: Address; readonly amount: bigint };

export interface Drawn {
  readonly payments: readonly Payment[];
  readonly hasMemo: boolean;
  /** Micro-lamports for each of 200,000 units; undefined without a compute budget. */
  readonly price: bigint | undefined;
}

const { user, mint } = w;
const SIGNATURE_FEE = 5_000n;
const RENT = 2_039_280n;
const UNITS = 200_000n;
const START = new Map<string, bigint>([
  [`native ${user}`, 1_000_000_000_000n],
  [`${mint} ${user}`, 1_000_000_000n],
]);

/** Holdings of each coin, for a wallet that already holds coins. */
const HELD = 7_000_000_000n;

/**
 * The transactions of these payments, and the complete correct answer of a service. The answer is computed here,
 * without any code under test.
 *
 * @param holders wallets that already hold coins, and that the service knows.
 */
export function honestSimulation(drawn: readonly Drawn[], holders: readonly Address[]) {
  const balances = new Map(START);
  for (const each of holders) for (const asset of ["native", mint]) balances.set(`${asset} ${each}`, HELD);
  const known = [user, ...holders, ...Object.values(programs)] as readonly string[];
  const transactions: SolanaTransaction[] = [];
  const results: EvidenceOf<"solana-simulation">["results"] = [];
  for (const each of drawn) {
    const instructions = instructionsOf(each);
    transactions.push({ ...w.serialized(instructions), encoding: "base64" });
    results.push(resultOf(each, instructions, balances, known));
  }
  const exec_summary = { result_code: "000000000", result_description: "ok", error_data: null };
  return { transactions, answer: { exec_summary, results } };
}

/** The token account of a wallet: any address, since no test derives it. */
function accountOf(wallet: Address): Address {
  if (wallet === user) return w.userTokens;
  const place = [...wallet].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 97, 7);
  return w.named(150 + place);
}

function instructionsOf({ payments, hasMemo, price }: Drawn): readonly Instruction[] {
  const signer = w.signing(user);
  const budget =
    price === undefined
      ? []
      : [
          v.raw(programs.computeBudget, [2, ...v.u32(Number(UNITS))]),
          v.raw(programs.computeBudget, [3, ...v.u64(price)]),
        ];
  const paying = payments.flatMap((payment): readonly Instruction[] => {
    const { kind, to, amount } = payment;
    if (kind === "sol") return [system.getTransferSolInstruction({ source: signer, destination: to, amount })];
    const [source, destination] = [w.userTokens, accountOf(to)];
    const parts = { source, destination, authority: signer, amount };
    if (kind === "tokens" && !payment.isChecked) return [token.getTransferInstruction(parts)];
    const sending = token.getTransferCheckedInstruction({ ...parts, mint, decimals: 6 });
    return kind === "tokens" ? [sending] : [makes(to), sending];
  });
  return [...budget, ...paying, ...(hasMemo ? [v.raw(programs.memo, [104, 105])] : [])];
}

function makes(owner: Address): Instruction {
  const accounts = [v.sign(user), v.write(accountOf(owner)), v.read(owner), v.read(mint)];
  return v.raw(programs.associatedToken, [1], [...accounts, v.read(programs.system), v.read(programs.token)]);
}

function resultOf(
  drawn: Drawn,
  instructions: readonly Instruction[],
  balances: Map<string, bigint>,
  known: readonly string[],
) {
  const before = new Map(balances);
  const move = (asset: string, from: string, to: string | undefined, amount: bigint) => {
    balances.set(`${asset} ${from}`, (balances.get(`${asset} ${from}`) ?? 0n) - amount);
    if (to !== undefined) balances.set(`${asset} ${to}`, (balances.get(`${asset} ${to}`) ?? 0n) + amount);
  };
  for (const { kind, to, amount } of drawn.payments) {
    if (kind === "made" && (balances.get(`native ${accountOf(to)}`) ?? 0n) === 0n)
      move("native", user, accountOf(to), RENT);
    move(kind === "sol" ? "native" : mint, user, to, amount);
  }
  const priority = ((drawn.price ?? 0n) * UNITS + 999_999n) / 1_000_000n;
  move("native", user, undefined, SIGNATURE_FEE + priority);

  const changed = [...balances].filter(([key, end]) => (before.get(key) ?? 0n) !== end);
  const changesOf = (asset: string, divisor: number) => ({
    token_address: asset,
    tokenName: "A name",
    symbol: "SYM",
    divisor: String(divisor),
    tokenPriceUSD: "1.5",
    change_list: changed
      .filter(([key]) => key.startsWith(`${asset} `))
      .map(([key, end]) => {
        const begin = before.get(key) ?? 0n;
        return {
          address: key.slice(asset.length + 1),
          amount_change: amountText(end - begin, divisor),
          begin_value: String(begin),
          delta_value: String(end - begin),
          end_value: String(end),
          value_usd: "3.25",
        };
      }),
  });
  const balance_changes = [changesOf("native", 9), changesOf(mint, 6)].filter(
    ({ change_list }) => change_list.length > 0,
  );
  const inner = drawn.payments.some(({ kind }) => kind === "made") ? [programs.token, programs.system] : [];
  const called = [...new Set([...instructions.map(({ programAddress }) => programAddress as string), ...inner])];
  const involved = [
    ...new Set([
      user,
      ...called,
      ...balance_changes.flatMap(({ change_list }) => change_list.map(({ address }) => address)),
    ]),
  ];
  return {
    from: user,
    to: instructions[0]?.programAddress ?? null,
    compute_units_consumed: 1_500,
    called_addresses: called,
    involved_addresses: involved,
    involved_addresses_risks: involved.map((address) => ({ address, risk_level: known.includes(address) ? 0 : -1 })),
    balance_changes,
    error: null,
    name: "n",
    block_height: 300_000_123,
    request_id: "id",
  };
}
