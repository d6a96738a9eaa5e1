import { type ContractType, contractTypeOf } from "./message/contract-types.ts";

/** The operations that the bitmap of an active permission grants. */
export interface GrantedOperations {
  readonly types: readonly ContractType[];
  /** Set bits without a type in the protocol: reserved ids and higher ones. */
  readonly unknownIds: readonly number[];
}

/** Reads a bitmap in hex: bit n is byte n/8, mask 1 << n%8. Source: java-tron, WalletUtil.checkPermissionOperations. */
export function grantedBy(bitmapHex: string): GrantedOperations {
  const types: ContractType[] = [];
  const unknownIds: number[] = [];
  for (const [index, byte] of Buffer.from(bitmapHex, "hex").entries()) {
    for (let bit = 0; bit < 8; bit++) {
      if ((byte & (1 << bit)) === 0) continue;
      const id = index * 8 + bit;
      const type = contractTypeOf(id);
      if (type === undefined) unknownIds.push(id);
      else types.push(type);
    }
  }
  return { types, unknownIds };
}
