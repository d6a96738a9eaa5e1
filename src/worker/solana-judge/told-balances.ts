import type { Change, TokenChanges } from "../../chains/solana/rules/token-changes.ts";
import type { SimulationResult } from "../../contract/solana-emulate.ts";

const WHOLE = /^\d{1,40}$/;

/** The balances that a result tells; undefined where it tells none, or what does not read. */
export function toldBalances({ balance_changes }: SimulationResult): readonly TokenChanges[] | undefined {
  if (balance_changes === undefined) return undefined;
  const told = new Balances();
  for (const { token_address: mint, change_list } of balance_changes) {
    for (const { address: holder, begin_value, delta_value, end_value } of change_list) {
      if (!WHOLE.test(begin_value) || !WHOLE.test(end_value) || told.has(mint, holder)) return undefined;
      const change = { holder, begin: BigInt(begin_value), end: BigInt(end_value) };
      if (String(change.end - change.begin) !== delta_value.replace(/^\+/, "")) return undefined;
      told.add(mint, change);
    }
  }
  return told.changes();
}

/** Several transactions as one: each balance begins as the first tells, and changes by the sum of all. */
export function summedBalances(each: readonly (readonly TokenChanges[])[]): readonly TokenChanges[] {
  const sum = new Balances();
  for (const { mint, changes } of each.flat()) for (const change of changes) sum.add(mint, change);
  return sum.changes();
}

/** The first holder whose balance of a token does not begin as an earlier transaction left it. */
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

  has(mint: string, holder: string): boolean {
    return this.#byMint.get(mint)?.has(holder) ?? false;
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
      decimals: undefined,
      changes: [...changes.values()].filter(({ begin, end }) => begin !== end),
    }));
  }
}
