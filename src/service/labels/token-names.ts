import { ITEMS_A_STEP, type Steps } from "../../kernel/steps.ts";
import { KeyBuckets } from "../../labels/index/key-buckets.ts";
import { subjectKey } from "../../labels/index/label-table.ts";
import type { LabelUnion } from "../../labels/index/label-union.ts";
import type { AddressLabel } from "../../labels/label.ts";
import { tokenNameSkeleton } from "./token-name.ts";
import { tokenNameCores } from "./token-name-core.ts";

/** Names that are written as most people's keyboards write them. Symbols of this kind are taken by many, and in good faith. */
const plainText = /^[ -~]*$/;

/** Of so many chains must short lists hold a symbol for it to be renowned: 14 of those that ship, from USDT (48) to rETH (10). */
const CHAINS_OF_RENOWN = 10;

/** The tokens of one chain by how their symbols and names are drawn. */
export class TokenNames {
  readonly #labels: LabelUnion;
  /** Place in the buckets -> twice the ordinal of the label, and one more for its full name. */
  readonly #owners: Uint32Array;
  readonly #buckets: KeyBuckets;
  /** Cores of the names in short lists, and the ordinals of their labels. */
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
   * The first token that one of `names`, a symbol or a full name, reads like. A name that holds more than ASCII is
   * compared with every token: nobody writes a Cyrillic letter by accident. A plain one only with the few tokens of
   * short lists, those that ask for no more bits than the shapes, and with the one token of this chain that has a
   * `renowned` symbol: many tokens share a symbol with one that few people know. What only its decoration keeps apart
   * is compared with short lists alone. A token that is not `genuine` is passed over: a counterfeit has no name to imitate.
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

/** Symbols so well known that a plain copy of one is an imitation wherever a list has the original, and only one. */
export function renownedAmong(chains: Iterable<TokenNames>): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { shortSymbols } of chains) {
    for (const symbol of shortSymbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  }
  return new Set(counts.entries().flatMap(([symbol, count]) => (count >= CHAINS_OF_RENOWN ? [symbol] : [])));
}
