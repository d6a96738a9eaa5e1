import { ITEMS_A_STEP, type Steps } from "../../kernel/async.ts";
import { KeyBuckets } from "../../labels/index/key-buckets.ts";
import { subjectKey } from "../../labels/index/label-table.ts";
import type { LabelUnion } from "../../labels/index/label-union.ts";
import type { AddressLabel } from "../../labels/label.ts";
import { tokenNameSkeleton } from "./token-name.ts";
import { tokenNameCores } from "./token-name-core.ts";

/** Names in plain ASCII. Many honest tokens share such symbols. */
const plainText = /^[ -~]*$/;

/**
 * Number of chains with the symbol in a short list, from which on the symbol is renowned. 14 bundled symbols reach it,
 * from USDT (48) to rETH (10).
 */
const CHAINS_OF_RENOWN = 10;

/** Finds the tokens of one chain by the look of their symbols and names. */
export class TokenNames {
  readonly #labels: LabelUnion;
  /** Position in the buckets -> twice the ordinal of the label, plus one for its full name. */
  readonly #owners: Uint32Array;
  readonly #buckets: KeyBuckets;
  /** Cores of the names in short lists, with the ordinals of their labels. */
  readonly #shortCores: ReadonlyMap<string, readonly number[]>;
  /** Skeletons of the symbols in short lists. */
  readonly shortSymbols: ReadonlySet<string>;

  private constructor(parts: {
    readonly labels: LabelUnion;
    readonly owners: Uint32Array;
    readonly buckets: KeyBuckets;
    readonly shortCores: ReadonlyMap<string, readonly number[]>;
    readonly shortSymbols: ReadonlySet<string>;
  }) {
    this.#labels = parts.labels;
    this.#owners = parts.owners;
    this.#buckets = parts.buckets;
    this.#shortCores = parts.shortCores;
    this.shortSymbols = parts.shortSymbols;
  }

  /** `members` are the ordinals of the tokens of one chain. */
  static *steps(labels: LabelUnion, members: Uint32Array): Steps<TokenNames> {
    const owners: number[] = [];
    const keys: number[] = [];
    const shortCores = new Map<string, number[]>();
    const shortSymbols = new Set<string>();
    for (const [at, ordinal] of members.entries()) {
      if (at > 0 && at % (ITEMS_A_STEP / 10) === 0) yield;
      const isShort = labels.barBitsAt(ordinal) === 0;
      for (const [which, name] of labels.namesAt(ordinal).entries()) {
        const skeleton = tokenNameSkeleton(name);
        if (skeleton === "") continue;
        owners.push(2 * ordinal + which);
        keys.push(subjectKey(skeleton));
        if (!isShort) continue;
        if (which === 0) shortSymbols.add(skeleton);
        const [core = ""] = tokenNameCores(name);
        if (core === "") continue;
        const bearers = shortCores.get(core);
        if (bearers === undefined) shortCores.set(core, [ordinal]);
        else bearers.push(ordinal);
      }
    }
    const buckets = yield* KeyBuckets.steps(new Uint32Array(keys));
    return new TokenNames({ labels, owners: new Uint32Array(owners), buckets, shortCores, shortSymbols });
  }

  /**
   * The first token that one of `names`, a symbol or a full name, reads like.
   *
   * - A name beyond ASCII is compared with every token, because a Cyrillic letter is not typed by accident.
   * - A plain name is compared with short lists only, because many tokens share the symbol of a little-known one. A
   *   short list is small enough to have no bar beyond the shapes.
   * - A plain name with a `renowned` symbol is also compared with the chain's token of that symbol. The chain must have
   *   exactly one such token.
   * - Names that differ only in decoration are compared with short lists alone.
   * - A token that is not `genuine` is skipped, because a counterfeit has no name to imitate.
   */
  imitatedBy(
    names: readonly string[],
    renowned: ReadonlySet<string>,
    genuine: (token: AddressLabel) => boolean,
  ): AddressLabel | undefined {
    const isGenuine = (ordinal: number) => {
      const label = this.#labels.at(ordinal);
      return label !== undefined && label.kind !== "site" && genuine(label);
    };
    for (const name of names) {
      const found = this.#drawnLike(name, renowned, isGenuine) ?? this.#decorated(name, isGenuine);
      const label = found === undefined ? undefined : this.#labels.at(found);
      if (label !== undefined && label.kind !== "site") return label;
    }
    return undefined;
  }

  #drawnLike(name: string, renowned: ReadonlySet<string>, isGenuine: (ordinal: number) => boolean): number | undefined {
    const skeleton = tokenNameSkeleton(name);
    const alike = skeleton === "" ? [] : this.#named(skeleton).filter(isGenuine);
    if (!plainText.test(name)) return alike[0];
    const short = alike.find((ordinal) => this.#labels.barBitsAt(ordinal) === 0);
    if (short !== undefined || !renowned.has(skeleton)) return short;
    const bearers = alike.filter((ordinal) => tokenNameSkeleton(this.#labels.namesAt(ordinal)[0] ?? "") === skeleton);
    return bearers.length === 1 ? bearers[0] : undefined;
  }

  #decorated(name: string, isGenuine: (ordinal: number) => boolean): number | undefined {
    for (const core of tokenNameCores(name)) {
      const found = this.#shortCores.get(core)?.find(isGenuine);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Distinct labels with a name of this skeleton, in their order. */
  #named(skeleton: string): readonly number[] {
    const found: number[] = [];
    const key = subjectKey(skeleton);
    for (let position = this.#buckets.first(key); position >= 0; position = this.#buckets.next(key, position)) {
      const owner = this.#owners[this.#buckets.ordinalAt(position)] ?? 0;
      const ordinal = owner >>> 1;
      const name = this.#labels.namesAt(ordinal)[owner & 1] ?? "";
      if (found.at(-1) !== ordinal && tokenNameSkeleton(name) === skeleton) found.push(ordinal);
    }
    return found;
  }
}

/** The best-known symbols. A plain copy of one is an imitation on a chain with exactly one labelled original. */
export function renownedAmong(chains: Iterable<TokenNames>): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { shortSymbols } of chains) {
    for (const symbol of shortSymbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  }
  return new Set(counts.entries().flatMap(([symbol, count]) => (count >= CHAINS_OF_RENOWN ? [symbol] : [])));
}
