import type { Flag } from "../../api/fields.ts";
import type { TargetFlags, TokenFlags } from "../../api/schemas/address-poisoning.ts";
import { toChecksumAddress } from "../../chains/evm/evm-address.ts";
import type { AddressLabel } from "../../labels/label.ts";
import type { TargetFinding, TokenFinding } from "./judge.ts";

export function renderTarget({
  isPoisoning,
  mimicsUser,
  mimicsSystem,
  listedAs,
  imitated,
}: TargetFinding): TargetFlags {
  return {
    is_poisoning: flag(isPoisoning),
    mimics_user: flag(mimicsUser),
    mimics_exchange: flag(imitated !== undefined),
    ...(mimicsSystem ? { mimics_system: "1" } : {}),
    ...matched(imitated),
    ...(imitated === undefined ? {} : { matched_name: imitated.name }),
    ...listed(listedAs),
  };
}

export function renderToken({ isPoisoning, mimicsSystem, listedAs, imitated }: TokenFinding): TokenFlags {
  return {
    is_poisoning: flag(isPoisoning),
    mimics_top_token: flag(imitated !== undefined),
    matched_token: imitated?.name ?? "",
    ...(mimicsSystem ? { mimics_system: "1" } : {}),
    ...matched(imitated),
    ...listed(listedAs),
  };
}

function listed(listedAs: TargetFinding["listedAs"]): { listed_as?: string } {
  return listedAs === undefined ? {} : { listed_as: listedAs };
}

function matched(label: AddressLabel | undefined): { matched_address?: string } {
  return label === undefined ? {} : { matched_address: shownAddress(label) };
}

/** Cache of computed forms. Each costs a Keccak hash, 5 us, and a campaign imitates one label many times. */
const shownByLabel = new WeakMap<AddressLabel, string>();

/** EVM addresses are shown in EIP-55 form, as wallets and explorers show them. */
function shownAddress(label: AddressLabel): string {
  if (label.chain.family !== "evm") return label.address;
  const known = shownByLabel.get(label);
  if (known !== undefined) return known;
  const shown = toChecksumAddress(label.address);
  shownByLabel.set(label, shown);
  return shown;
}

function flag(raised: boolean): Flag {
  return raised ? "1" : "0";
}
