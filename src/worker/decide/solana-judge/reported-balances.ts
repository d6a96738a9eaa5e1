import { isNativeCoin } from "../../../api/schemas/native-coin.ts";
import type { SimulationResult } from "../../../api/schemas/solana-emulate.ts";
import { canonicalAddress } from "../../../chains/address.ts";
import { type Change, NATIVE, NATIVE_DECIMALS, type TokenChanges } from "../../../chains/solana/rules/token-changes.ts";
import { decimalsIn, isSameAmount } from "./reported-amount.ts";

type Balance = NonNullable<SimulationResult["balance_changes"]>[number];

const WHOLE = /^\d{1,40}$/;

/**
 * The balances that a result reports. Undefined if it reports none, if they cannot be read, or if they are
 * inconsistent:
 *
 * - A holder appears twice for one token.
 * - A change is not the difference of the two balances.
 * - An amount implies other decimals.
 * - An address is invalid.
 */
export function reportedBalances({ balance_changes }: SimulationResult): readonly TokenChanges[] | undefined {
  if (balance_changes === undefined) return undefined;
  const told = new Balances();
  for (const token of balance_changes) {
    const mint = mintOf(token);
    const decimals = decimalsOf(token);
    if (mint === undefined || decimals === "unclear" || told.contradicts(mint, decimals)) return undefined;
    for (const each of token.change_list) {
      const change = changeOf(each, decimals);
      if (change === undefined || told.has(mint, change.holder)) return undefined;
      told.add(mint, change);
    }
  }
  return told.changes();
}

function mintOf({ token_address }: Balance): string | undefined {
  return isNativeCoin(token_address) ? NATIVE : canonicalAddress("solana", token_address);
}

function decimalsOf({ token_address, divisor }: Balance): number | undefined | "unclear" {
  const told = decimalsIn(divisor);
  if (told === undefined && divisor !== "") return "unclear";
  if (!isNativeCoin(token_address)) return told;
  return (told ?? NATIVE_DECIMALS) === NATIVE_DECIMALS ? NATIVE_DECIMALS : "unclear";
}

function changeOf(
  { address, amount_change, begin_value, delta_value, end_value }: Balance["change_list"][number],
  decimals: number | undefined,
): Change | undefined {
  const holder = canonicalAddress("solana", address);
  if (holder === undefined || !WHOLE.test(begin_value) || !WHOLE.test(end_value)) return undefined;
  const change = { holder, begin: BigInt(begin_value), end: BigInt(end_value) };
  const delta = change.end - change.begin;
  if (String(delta) !== delta_value.replace(/^\+/, "")) return undefined;
  return isSameAmount(amount_change, delta, decimals) ? change : undefined;
}

/** The balances of several transactions as one: each begins with the first report and changes by the sum of all. */
export function summedBalances(each: readonly (readonly TokenChanges[])[]): readonly TokenChanges[] {
  const sum = new Balances();
  for (const { mint, changes } of each.flat()) for (const change of changes) sum.add(mint, change);
  return sum.changes();
}

/** The first holder with a balance that does not begin as an earlier transaction left it. */
export function brokenSequence(each: readonly (readonly TokenChanges[])[]): string | undefined {
  const left = new Map<string, bigint>();
  for (const { mint, changes } of each.flat()) {
    for (const { holder, begin, end } of changes) {
      const key = keyOf(mint, holder);
      if ((left.get(key) ?? begin) !== begin) return holder;
      left.set(key, end);
    }
  }
  return undefined;
}

function keyOf(mint: string, holder: string): string {
  return `${mint} ${holder}`;
}

class Balances {
  readonly #byMint = new Map<string, Map<string, Change>>();
  readonly #decimals = new Map<string, number>();

  has(mint: string, holder: string): boolean {
    return this.#byMint.get(mint)?.has(holder) ?? false;
  }

  /** Whether the token was reported with other decimals before. The first report is kept. */
  contradicts(mint: string, decimals: number | undefined): boolean {
    if (decimals === undefined) return false;
    const before = this.#decimals.get(mint) ?? decimals;
    this.#decimals.set(mint, before);
    return before !== decimals;
  }

  add(mint: string, { holder, begin, end }: Change): void {
    const changes = this.#byMint.get(mint) ?? new Map<string, Change>();
    this.#byMint.set(mint, changes);
    const first = changes.get(holder);
    const summed = first === undefined ? { holder, begin, end } : { ...first, end: first.end + end - begin };
    changes.set(holder, summed);
  }

  changes(): readonly TokenChanges[] {
    return [...this.#byMint].map(([mint, changes]) => ({
      mint,
      decimals: this.#decimals.get(mint),
      changes: [...changes.values()].filter(({ begin, end }) => begin !== end),
    }));
  }
}
