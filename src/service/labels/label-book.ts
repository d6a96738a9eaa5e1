import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain, Family } from "../../chains/chain.ts";
import { atOnce, eachInSteps, groupedInSteps, type Steps } from "../../kernel/steps.ts";
import { type BarredLabel, ImitableLabels } from "./imitable-labels.ts";
import type { AddressKind, AddressLabel, SiteLabel } from "./label.ts";
import type { LabelList } from "./label-list.ts";
import { LabelledAddresses } from "./labelled-addresses.ts";
import { TokenNames } from "./token-names.ts";

/** How each kind is looked up by likeness: in its whole family, on its own chain, or not at all. */
const imitable = {
  exchange: "family",
  bridge: "family",
  protocol: "family",
  token: "chain",
  sanctioned: "never",
  malicious: "never",
} as const satisfies Record<AddressKind, "family" | "chain" | "never">;

/** Chance of an accidental match that the shapes leave, as bits. Source: detection, section 1.2. */
const SHAPE_BITS = 28;
/** What a list asks for beyond log2 of its size: one accident in 2^21 checks, whatever the size. Same source. */
const MARGIN_BITS = 21;

/**
 * All labels in use; never changes. An address of a family is one key on all its chains, so labels hold by family;
 * only tokens, which are contracts, hold on their own chain.
 *
 * Invariant: the bar of a list's addresses is set by that list alone; loading another one never raises it.
 */
export class LabelBook {
  readonly #byFamily: ReadonlyMap<Family, LabelledAddresses>;
  readonly #wellKnownByFamily: ReadonlyMap<Family, ImitableLabels>;
  readonly #tokensByChain: ReadonlyMap<string, ImitableLabels>;
  readonly #tokenNamesByChain: ReadonlyMap<string, TokenNames>;
  readonly #sitesByHost: ReadonlyMap<string, readonly SiteLabel[]>;

  private constructor(parts: {
    readonly byFamily: ReadonlyMap<Family, LabelledAddresses>;
    readonly wellKnownByFamily: ReadonlyMap<Family, ImitableLabels>;
    readonly tokensByChain: ReadonlyMap<string, ImitableLabels>;
    readonly tokenNamesByChain: ReadonlyMap<string, TokenNames>;
    readonly sitesByHost: ReadonlyMap<string, readonly SiteLabel[]>;
  }) {
    this.#byFamily = parts.byFamily;
    this.#wellKnownByFamily = parts.wellKnownByFamily;
    this.#tokensByChain = parts.tokensByChain;
    this.#tokenNamesByChain = parts.tokenNamesByChain;
    this.#sitesByHost = parts.sitesByHost;
  }

  static of(lists: readonly LabelList[]): LabelBook {
    return atOnce(LabelBook.steps(lists));
  }

  /** Makes the book in steps, none of which takes long, however many labels there are. */
  static *steps(lists: readonly LabelList[]): Steps<LabelBook> {
    const labels: AddressLabel[] = [];
    const entries: BarredLabel[] = [];
    for (const list of lists) {
      const ofList = list.labels.filter((label) => label.kind !== "site");
      for (const label of ofList) labels.push(label);
      yield;
      const barred = yield* withBars(ofList);
      for (const entry of barred) entries.push(entry);
      yield;
    }
    const sites = lists.flatMap((list) => list.labels.filter((label) => label.kind === "site"));
    const wellKnown = entries.filter(({ label }) => imitable[label.kind] === "family");
    const tokens = entries.filter(({ label }) => imitable[label.kind] === "chain");
    yield;
    const index = (group: BarredLabel[], { label }: BarredLabel) => ImitableLabels.steps(label.chain.family, group);
    return new LabelBook({
      byFamily: yield* mapGroupSteps(labels, familyOf, (group) => LabelledAddresses.steps(group)),
      wellKnownByFamily: yield* mapGroupSteps(wellKnown, ({ label }) => familyOf(label), index),
      tokensByChain: yield* mapGroupSteps(tokens, ({ label }) => label.chain.id, index),
      tokenNamesByChain: yield* mapGroupSteps(
        tokens,
        ({ label }) => label.chain.id,
        (group) => done(new TokenNames(group)),
      ),
      sitesByHost: Map.groupBy(sites, ({ host }) => host),
    });
  }

  /** The labels of a web site's host and of the domains above it, the nearest first. */
  sitesOf(host: string): readonly SiteLabel[] {
    const parts = host.toLowerCase().split(".");
    return parts.flatMap((_part, i) => this.#sitesByHost.get(parts.slice(i).join(".")) ?? []);
  }

  /** Whether the address itself has a label of this kind: of a token on this chain, of all others in its family. */
  hasKind(chain: Chain, address: CanonicalAddress, kind: AddressKind): boolean {
    if (kind === "token") return this.isToken(chain, address);
    return this.#byFamily.get(chain.family)?.has(address, (label) => label.kind === kind) ?? false;
  }

  isMalicious(family: Family, address: CanonicalAddress): boolean {
    return this.#byFamily.get(family)?.has(address, ({ kind }) => kind === "malicious") ?? false;
  }

  /**
   * Whether the address itself is labelled as an exchange, a bridge or a protocol of the family, or as a token of this
   * chain: whoever has a token's address on another chain need not be who deployed it here.
   */
  isWellKnown(chain: Chain, address: CanonicalAddress): boolean {
    const isKnownOnFamily = ({ kind }: AddressLabel) => imitable[kind] === "family";
    return (this.#byFamily.get(chain.family)?.has(address, isKnownOnFamily) ?? false) || this.isToken(chain, address);
  }

  /**
   * The worst risk level, 0 to 5, that labels give the address itself: that of the row, or 5 for a malicious or sanctioned
   * one and 0 for whatever else is known. Undefined for an address without labels.
   */
  riskOf(chain: Chain, address: CanonicalAddress): number | undefined {
    const labels = this.labelsOf(chain, address);
    return labels.length === 0 ? undefined : Math.max(...labels.map(riskOfLabel));
  }

  /** The token that the address itself is labelled as on this chain: `name` is its symbol. */
  tokenOf(chain: Chain, address: CanonicalAddress): AddressLabel | undefined {
    return this.labelsOf(chain, address).find(({ kind }) => kind === "token");
  }

  /** The labels of the address itself: tokens of this chain, all others of its family. */
  labelsOf(chain: Chain, address: CanonicalAddress): readonly AddressLabel[] {
    const labels = this.#byFamily.get(chain.family)?.of(address) ?? [];
    return labels.filter((label) => label.kind !== "token" || label.chain.id === chain.id);
  }

  /** Whether the address itself is labelled as a token of this chain. */
  isToken(chain: Chain, address: CanonicalAddress): boolean {
    return (
      this.#byFamily.get(chain.family)?.has(address, (l) => l.kind === "token" && l.chain.id === chain.id) ?? false
    );
  }

  /** The exchange, bridge or protocol, on any chain of the family, that the address is the closest lookalike of. */
  wellKnownImitatedBy(family: Family, address: CanonicalAddress): AddressLabel | undefined {
    return this.#wellKnownByFamily.get(family)?.imitatedBy(address);
  }

  /** The token of this chain that the address is the closest lookalike of. */
  tokenImitatedBy(chain: Chain, address: CanonicalAddress): AddressLabel | undefined {
    return this.#tokensByChain.get(chain.id)?.imitatedBy(address);
  }

  /** The token of this chain that one of a contract's `names`, its symbol or its full name, reads like, equal ones included. */
  tokenNamedLike(chain: Chain, names: readonly string[]): AddressLabel | undefined {
    return names.length === 0 ? undefined : this.#tokenNamesByChain.get(chain.id)?.imitatedBy(names);
  }
}

/**
 * Matched bits that a lookalike of one of `count` known addresses must reach; 0 where the shapes ask for as much
 * already. The more addresses there are, the likelier one of them resembles a stranger by accident.
 */
export function barBits(count: number): number {
  const bits = Math.log2(count) + MARGIN_BITS;
  return bits > SHAPE_BITS ? bits : 0;
}

/**
 * The imitable labels of one list, in its order. The bar is set by the distinct addresses that a candidate is compared
 * with: those of one kind and family, and of tokens those of one chain.
 */
function* withBars(labels: readonly AddressLabel[]): Steps<readonly BarredLabel[]> {
  const candidates = labels.filter(({ kind }) => imitable[kind] !== "never");
  const bars = yield* mapGroupSteps(candidates, kindOf, (ofKind) =>
    mapGroupSteps(ofKind, scopeOf, (group) => done(barOfGroup(group))),
  );
  const barred: BarredLabel[] = [];
  yield* eachInSteps(candidates, (label) => {
    barred.push({ label, barBits: bars.get(label.kind)?.get(scopeOf(label)) ?? 0 });
  });
  return barred;
}

/** Addresses of a group are distinct, since a list holds a label once (`readLabelList`). */
function barOfGroup(group: readonly AddressLabel[]): number {
  return barBits(group.length);
}

function riskOfLabel({ kind, riskLevel }: AddressLabel): number {
  return riskLevel ?? (kind === "malicious" || kind === "sanctioned" ? 5 : 0);
}

function scopeOf({ kind, chain }: AddressLabel): string {
  return imitable[kind] === "chain" ? chain.id : chain.family;
}

function kindOf({ kind }: AddressLabel): AddressKind {
  return kind;
}

function familyOf({ chain }: AddressLabel): Family {
  return chain.family;
}

/** `make` over the items of each key; `first` is the group's first item. */
function* mapGroupSteps<T, K, V>(
  items: readonly T[],
  key: (item: T) => K,
  make: (group: T[], first: T) => Steps<V>,
): Steps<Map<K, V>> {
  const made = new Map<K, V>();
  const groups = yield* groupedInSteps(items, key);
  for (const [k, group] of groups) {
    const [first] = group;
    if (first !== undefined) made.set(k, yield* make(group, first));
    yield;
  }
  return made;
}

/** What takes no time, as a step of its own. */
function* done<T>(value: T): Steps<T> {
  yield;
  return value;
}
