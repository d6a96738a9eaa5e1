import type { CanonicalAddress } from "../../address.ts";
import { addressOf } from "../abi/abi-reader.ts";
import type { ArgumentRole, RoleValues } from "./argument-roles.ts";

export function addresses({ byRole }: RoleValues, role: ArgumentRole): readonly CanonicalAddress[] {
  return (byRole.get(role) ?? []).filter((value) => typeof value === "string");
}

export function integers({ byRole }: RoleValues, role: ArgumentRole): readonly bigint[] {
  return (byRole.get(role) ?? []).filter((value) => typeof value === "bigint");
}

export function hexes({ byRole }: RoleValues, role: ArgumentRole): readonly string[] {
  return (byRole.get(role) ?? []).flatMap((value) => (typeof value === "object" && "hex" in value ? [value.hex] : []));
}

const ADDRESS_DIGITS = 40;

/** The address of a number. */
export function numbered(number: bigint): CanonicalAddress {
  return addressOf(number.toString(16).padStart(ADDRESS_DIGITS, "0"));
}

/** The first and the last token of each path, in the order of the trade. */
export function pathTokens(roles: RoleValues): readonly CanonicalAddress[] {
  const packed = hexes(roles, "packedPath").flatMap(pathEnds);
  const back = hexes(roles, "packedPathBack").flatMap((path) => pathEnds(path).toReversed());
  return [...addresses(roles, "path"), ...packed, ...back];
}

/** The ends of a path that is packed as token, fee, token, ... */
function pathEnds(path: string): readonly CanonicalAddress[] {
  if (path.length < ADDRESS_DIGITS) return [];
  return [path.slice(0, ADDRESS_DIGITS), path.slice(-ADDRESS_DIGITS)].map(addressOf);
}
