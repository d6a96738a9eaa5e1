import type { CanonicalAddress } from "../chains/address.ts";
import type { Chain } from "../chains/chain.ts";

/**
 * What an address can be labelled as. Exchanges, bridges and protocols are known to users by sight, and therefore imitated.
 * `blocked` and `allowed` are an operator's own lists.
 */
export const addressKinds = [
  "exchange",
  "bridge",
  "protocol",
  "token",
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

/** The highest: of what accuses and tells no level. */
const WORST: RiskLevel = 5;

/** From here on a risk accuses. Source: docs/decisions/0001-open-points.md, "risk level scale"; policies block from here on. */
export const HIGH_RISK = 4;
/** From here on a risk takes the excuse away. Chosen: a list that doubts an address does not vouch for it. */
export const DOUBTFUL_RISK = 2;

/** The risk of an address by a label of this kind that tells the level `told`, if any. */
export function riskBy(kind: AddressKind, told: number | undefined): number {
  return told ?? (accusing.has(kind) ? WORST : 0);
}

const accusing: ReadonlySet<AddressKind> = new Set(["sanctioned", "malicious", "blocked"]);

/** Whether a label of this kind accuses its address, whatever risk it tells. */
export function isAccusing(kind: AddressKind): boolean {
  return accusing.has(kind);
}

/** Whether a label accuses its address or site, by its kind or by its risk. */
export function accuses(label: Label): boolean {
  if (label.kind === "site") return (label.riskLevel ?? 0) >= HIGH_RISK;
  return isAccusing(label.kind) || riskBy(label.kind, label.riskLevel) >= HIGH_RISK;
}

export interface AddressLabel {
  readonly kind: AddressKind;
  readonly chain: Chain;
  /** Holds on all chains of the family, of which `chain` is one. */
  readonly everywhere?: true;
  /** Its address is no imitation on any chain of the family; otherwise where the label holds. It excuses nothing else there. */
  readonly originalInFamily?: true;
  readonly address: CanonicalAddress;
  readonly name: string;
  /** What a token calls itself at length, where `name` is its symbol. */
  readonly fullName?: string;
  /** Under which programs it is listed, such as CYBER2. */
  readonly program?: string;
  /** What its list remarks on it. */
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
