import type { CanonicalAddress } from "../../../chains/address.ts";
import {
  addressIn,
  hexIn,
  integerIn,
  type MessageValue,
  messagesIn,
  textIn,
} from "../../../chains/tron/message/message-value.ts";
import { type GrantedOperations, grantedBy } from "../../../chains/tron/operations-bits.ts";

export interface Key {
  readonly address: CanonicalAddress;
  readonly weight: bigint;
}

/** One permission, either present or set by an update. */
export interface Permission {
  readonly name: string;
  readonly threshold: bigint;
  readonly keys: readonly Key[];
}

/** A permission that grants some operations only. */
export interface Active extends Permission {
  readonly granted: GrantedOperations;
}

export function permissionOf(message: MessageValue): Permission {
  const keys = messagesIn(message, "keys").flatMap((key): Key[] => {
    const address = addressIn(key, "address");
    return address === undefined ? [] : [{ address, weight: integerIn(key, "weight") }];
  });
  return { name: textIn(message, "permission_name"), threshold: integerIn(message, "threshold"), keys };
}

export function activeOf(message: MessageValue): Active {
  return { ...permissionOf(message), granted: grantedBy(hexIn(message, "operations")) };
}

/** True when the signers' keys together reach the threshold. A threshold of 0 is reached without any key. */
export function reaches({ threshold, keys }: Permission, signers: ReadonlySet<CanonicalAddress>): boolean {
  const weight = keys.reduce((sum, key) => (signers.has(key.address) ? sum + key.weight : sum), 0n);
  return weight >= threshold;
}
