import type { CanonicalAddress } from "../chains/address.ts";
import type { Chain } from "../chains/chain.ts";

/**
 * The kinds of labels for addresses. Users recognize exchanges, bridges and protocols by sight, so these are imitated.
 * A `delegate` is code that a wallet publishes for its users' accounts (EIP-7702). `blocked` and `allowed` are an
 * operator's own lists.
 */
export const addressKinds = [
  "exchange",
  "bridge",
  "protocol",
  "token",
  "delegate",
  "sanctioned",
  "malicious",
  "blocked",
  "allowed",
] as const;
export type AddressKind = (typeof addressKinds)[number];

/** The values of the `kind` column. */
export const labelKinds = [...addressKinds, "site"] as const;

/** 0 no known risk, 1 low, 2 to 5 increasing. Source: docs/decisions/0001-open-points.md, "Address risk level scale". */
export const riskLevels = [0, 1, 2, 3, 4, 5] as const;
export type RiskLevel = (typeof riskLevels)[number];

/** The highest level, for an accusing label without a level. */
const WORST: RiskLevel = 5;

/**
 * A risk of this level or more accuses; policies block it. Source: docs/decisions/0001-open-points.md, "risk level
 * scale".
 */
export const HIGH_RISK = 4;
/** A risk of this level or more cancels an excuse. Chosen: a list that doubts an address does not vouch for it. */
export const DOUBTFUL_RISK = 2;

/** The risk of an address by a label of this kind with the stated level `told`, if there is one. */
export function riskBy(kind: AddressKind, told: number | undefined): number {
  return told ?? (accusing.has(kind) ? WORST : 0);
}

const accusing: ReadonlySet<AddressKind> = new Set(["sanctioned", "malicious", "blocked"]);

/** Whether a label of this kind accuses its address, whatever its risk level is. */
export function isAccusing(kind: AddressKind): boolean {
  return accusing.has(kind);
}

/** Whether a label accuses its address or site, by kind or by risk. */
export function accuses(label: Label): boolean {
  if (label.kind === "site") return (label.riskLevel ?? 0) >= HIGH_RISK;
  return isAccusing(label.kind) || riskBy(label.kind, label.riskLevel) >= HIGH_RISK;
}

export interface AddressLabel {
  readonly kind: AddressKind;
  readonly chain: Chain;
  /** The label holds on all chains of the family of `chain`. */
  readonly everywhere?: true;
  /**
   * The address counts as original on all chains of the family. Without this member it counts as original where the
   * label holds. The label excuses nothing else there.
   */
  readonly originalInFamily?: true;
  readonly address: CanonicalAddress;
  readonly name: string;
  /** The long name of a token; `name` is its symbol. */
  readonly fullName?: string;
  /** Sanctions programs of the entry, such as CYBER2. */
  readonly program?: string;
  /** The remark of the list. */
  readonly note?: string;
  readonly riskLevel?: RiskLevel;
}

/** A web site, named by its host in lower case. It belongs to no chain. */
export interface SiteLabel {
  readonly kind: "site";
  readonly host: string;
  readonly name: string;
  readonly riskLevel?: RiskLevel;
}

export type Label = AddressLabel | SiteLabel;
