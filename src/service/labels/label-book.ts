import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain, Family } from "../../chains/chain.ts";
import { evmEndingsOn } from "../../chains/evm/evm-endings.ts";
import { atOnce, ITEMS_A_STEP, type Steps } from "../../kernel/async.ts";
import { imitable } from "../../labels/index/imitable.ts";
import { LabelUnion } from "../../labels/index/label-union.ts";
import { LabelledAddresses } from "../../labels/index/labelled-addresses.ts";
import { LeadingBytes } from "../../labels/index/leading-bytes.ts";
import {
  type AddressKind,
  type AddressLabel,
  HIGH_RISK,
  isAccusing,
  riskBy,
  type SiteLabel,
} from "../../labels/label.ts";
import type { LabelList } from "../../labels/label-list.ts";
import { groupedOrdinals } from "../lookalikes/ordinals.ts";
import { ImitableLabels } from "./imitable-labels.ts";
import { holdsOn, isTrustedParty, type LabelStanding, standingOf } from "./standing.ts";
import { renownedAmong, TokenNames } from "./token-names.ts";

/**
 * All labels in use. The book never changes.
 *
 * - An accusing label (malicious, sanctioned, blocked, a risk) holds on all chains of its family. One key controls the
 *   address on all these chains.
 * - A vouching label (an exchange, a bridge, a protocol, a token, a delegate) holds on the chains of its row. Another
 *   label of the address may void it (`standingOf`). On another chain, a stranger may have deployed a contract at the
 *   same address.
 * - Imitation is checked in the whole family, because confusion is visual. Tokens are checked on their own chain.
 * - An address of the bundled labels is no imitation anywhere in its family (`isOriginal`).
 *
 * Invariant: the bar of a list's addresses is set by that list alone. Loading another list never raises it.
 */
export class LabelBook {
  readonly #byAddress: LabelledAddresses;
  /** The leading bytes of accused addresses. */
  readonly #accused: LeadingBytes;
  readonly #wellKnownByFamily: ReadonlyMap<Family, ImitableLabels>;
  readonly #tokensByChain: ReadonlyMap<string, ImitableLabels>;
  readonly #tokenNamesByChain: ReadonlyMap<string, TokenNames>;
  /** Skeletons of renowned symbols. */
  readonly #renowned: ReadonlySet<string>;
  readonly #sitesByHost: ReadonlyMap<string, readonly SiteLabel[]>;

  private constructor(parts: {
    readonly byAddress: LabelledAddresses;
    readonly accused: LeadingBytes;
    readonly wellKnownByFamily: ReadonlyMap<Family, ImitableLabels>;
    readonly tokensByChain: ReadonlyMap<string, ImitableLabels>;
    readonly tokenNamesByChain: ReadonlyMap<string, TokenNames>;
    readonly sitesByHost: ReadonlyMap<string, readonly SiteLabel[]>;
  }) {
    this.#byAddress = parts.byAddress;
    this.#accused = parts.accused;
    this.#wellKnownByFamily = parts.wellKnownByFamily;
    this.#tokensByChain = parts.tokensByChain;
    this.#tokenNamesByChain = parts.tokenNamesByChain;
    this.#renowned = renownedAmong(parts.tokenNamesByChain.values());
    this.#sitesByHost = parts.sitesByHost;
  }

  static of(lists: readonly LabelList[]): LabelBook {
    return atOnce(LabelBook.steps(lists));
  }

  /** Builds the book in short steps, however many labels there are. */
  static *steps(lists: readonly LabelList[]): Steps<LabelBook> {
    const labels = yield* LabelUnion.steps(lists.map((list) => list.labels));
    yield;
    const { wellKnown, tokens, sites } = yield* sorted(labels);
    const wellKnownByFamily = new Map<Family, ImitableLabels>();
    for (const [family, members] of wellKnown) {
      wellKnownByFamily.set(family, yield* ImitableLabels.steps(family, labels, members));
      yield;
    }
    const tokensByChain = new Map<string, ImitableLabels>();
    const tokenNamesByChain = new Map<string, TokenNames>();
    for (const [chain, members] of tokens) {
      tokensByChain.set(chain.id, yield* ImitableLabels.steps(chain.family, labels, members, evmEndingsOn(chain.id)));
      tokenNamesByChain.set(chain.id, yield* TokenNames.steps(labels, members));
      yield;
    }
    return new LabelBook({
      byAddress: yield* LabelledAddresses.steps(labels),
      accused: yield* accusedAmong(labels),
      wellKnownByFamily,
      tokensByChain,
      tokenNamesByChain,
      sitesByHost: Map.groupBy(sites, ({ host }) => host),
    });
  }

  /** The labels of a web site's host and of its parent domains, the nearest first. */
  sitesOf(host: string): readonly SiteLabel[] {
    const parts = host.toLowerCase().split(".");
    return parts.flatMap((_part, i) => this.#sitesByHost.get(parts.slice(i).join(".")) ?? []);
  }

  /** Combines all labels of the address: the accusations, and the kinds that labels vouch for. */
  standingOf(chain: Chain, address: CanonicalAddress): LabelStanding {
    return standingOf(chain, this.#byAddress.of(chain.family, address));
  }

  /**
   * Counts the accused addresses in calldata, padded or not, at any byte. Addresses with many zero bytes are left out.
   */
  accusedWithin(chain: Chain, bytes: Uint8Array): ReadonlyMap<CanonicalAddress, number> {
    const found = new Map<CanonicalAddress, number>();
    for (const address of this.#accused.candidatesIn(chain.family, bytes)) {
      if (this.standingOf(chain, address).accusations.length === 0) continue;
      found.set(address, (found.get(address) ?? 0) + 1);
    }
    return found;
  }

  /**
   * True when the address itself has a label of this kind that holds on this chain. The risk does not matter. Use
   * `vouchesFor` to excuse an address.
   */
  hasKind(chain: Chain, address: CanonicalAddress, kind: AddressKind): boolean {
    return this.#byAddress.of(chain.family, address).some((label) => label.kind === kind && holdsOn(chain, label));
  }

  /** True when labels vouch for the address as one of these kinds, and no label doubts it. */
  vouchesFor(chain: Chain, address: CanonicalAddress, ...kinds: readonly AddressKind[]): boolean {
    const { vouchedAs } = this.standingOf(chain, address);
    return kinds.some((kind) => vouchedAs.has(kind));
  }

  /** True when labels vouch for the address as an exchange, a bridge, a protocol or a token of this chain. */
  isWellKnown(chain: Chain, address: CanonicalAddress): boolean {
    return isTrustedParty(this.standingOf(chain, address).vouchedAs);
  }

  /**
   * True when the address is no imitation. Labels vouch for it on this chain, or bundled labels vouch for it on another
   * chain of the family. Nothing else is excused by it, because another chain may have a stranger's contract at that
   * address.
   */
  isOriginal(chain: Chain, address: CanonicalAddress): boolean {
    return this.standingOf(chain, address).isOriginal;
  }

  /**
   * The highest risk level, 0 to 5, among the address's own labels. A label has the level of its row. Without one, a
   * malicious, sanctioned or blocked label has 5, and any other label of this chain has 0. A risk holds in the whole
   * family, except for tokens. Undefined for an address without such labels.
   */
  riskOf(chain: Chain, address: CanonicalAddress): number | undefined {
    const labels = this.#byAddress
      .of(chain.family, address)
      .filter((label) => holdsOn(chain, label) || (label.kind !== "token" && riskOfLabel(label) > 0));
    return labels.length === 0 ? undefined : Math.max(...labels.map(riskOfLabel));
  }

  /** The address's own token label on this chain. `name` is the symbol of the token. */
  tokenOf(chain: Chain, address: CanonicalAddress): AddressLabel | undefined {
    return this.labelsOf(chain, address).find(({ kind }) => kind === "token");
  }

  /** The labels of the address itself that hold on this chain. */
  labelsOf(chain: Chain, address: CanonicalAddress): readonly AddressLabel[] {
    return this.#byAddress.of(chain.family, address).filter((label) => holdsOn(chain, label));
  }

  /** The labels of the address that hold only on other chains of the family. */
  labelsElsewhere(chain: Chain, address: CanonicalAddress): readonly AddressLabel[] {
    return this.#byAddress.of(chain.family, address).filter((label) => !holdsOn(chain, label));
  }

  /** True when the address itself is labelled as a token of this chain, at whatever risk. */
  isToken(chain: Chain, address: CanonicalAddress): boolean {
    return this.hasKind(chain, address, "token");
  }

  /** The exchange, bridge, protocol or delegate, on any chain of the family, that the address resembles most. */
  wellKnownImitatedBy(family: Family, address: CanonicalAddress): AddressLabel | undefined {
    return this.#wellKnownByFamily.get(family)?.imitatedBy(address);
  }

  /** The token of this chain that the address resembles most. */
  tokenImitatedBy(chain: Chain, address: CanonicalAddress): AddressLabel | undefined {
    return this.#tokensByChain.get(chain.id)?.imitatedBy(address);
  }

  /**
   * The token of this chain that one of a contract's `names` reads like. Equal names count. `names` holds the symbol
   * and the full name.
   */
  tokenNamedLike(chain: Chain, names: readonly string[]): AddressLabel | undefined {
    return names.length === 0
      ? undefined
      : this.#tokenNamesByChain
          .get(chain.id)
          ?.imitatedBy(
            names,
            this.#renowned,
            (token) => this.standingOf(chain, token.address).accusations.length === 0,
          );
  }
}

function riskOfLabel({ kind, riskLevel }: AddressLabel): number {
  return riskBy(kind, riskLevel);
}

function* accusedAmong(labels: LabelUnion): Steps<LeadingBytes> {
  const accused = new LeadingBytes();
  for (let ordinal = 0; ordinal < labels.length; ordinal++) {
    if (ordinal > 0 && ordinal % ITEMS_A_STEP === 0) yield;
    const [kind, chain] = [labels.kindAt(ordinal), labels.chainAt(ordinal)];
    if (kind === "site" || chain === undefined) continue;
    const isAccused = isAccusing(kind) || riskBy(kind, labels.riskAt(ordinal)) >= HIGH_RISK;
    if (isAccused) accused.add(chain.family, labels.subjectAt(ordinal));
  }
  return accused;
}

/** Groups the labels that are looked up by likeness: ordinals by family and by chain, and the sites. */
function* sorted(labels: LabelUnion): Steps<{
  readonly wellKnown: ReadonlyMap<Family, Uint32Array>;
  readonly tokens: ReadonlyMap<Chain, Uint32Array>;
  readonly sites: readonly SiteLabel[];
}> {
  const asItIs = (ordinal: number) => ordinal;
  const chainOf = (ordinal: number, within: "family" | "chain") => {
    const kind = labels.kindAt(ordinal);
    return kind !== "site" && imitable[kind] === within && !labels.isRepeatAt(ordinal)
      ? labels.chainAt(ordinal)
      : undefined;
  };
  const wellKnown = yield* groupedOrdinals(labels.length, asItIs, (each) => chainOf(each, "family")?.family);
  const tokens = yield* groupedOrdinals(labels.length, asItIs, (each) => chainOf(each, "chain"));
  const siteAt = (ordinal: number) => (labels.kindAt(ordinal) === "site" ? "site" : undefined);
  const sites: SiteLabel[] = [];
  for (const ordinal of (yield* groupedOrdinals(labels.length, asItIs, siteAt)).get("site") ?? []) {
    const label = labels.at(ordinal);
    if (label?.kind === "site") sites.push(label);
  }
  return { wellKnown, tokens, sites };
}
