import { instructions, opcode, toHex } from "../../evm-analysis/machine/code.ts";

/** How a proxy finds its implementation, as the answer spells it. */
export const proxyTypes = [
  "EIP-1167",
  "EIP-1967",
  "EIP-1967 beacon",
  "Transparent",
  "ZeppelinOS",
  "EIP-1822",
  "EIP-897",
  "EIP-2535",
  "Safe",
  "EIP-7702",
] as const;
export type ProxyType = (typeof proxyTypes)[number];

export interface ContractProxy {
  readonly type: ProxyType;
  /** Address of the implementation. Undefined when there are several, or when it is unknown. */
  readonly implementation: string | undefined;
}

/**
 * Storage slots in which proxies keep addresses. EIP-1967 uses keccak-256 of `eip1967.proxy.implementation` and similar
 * names, less one. Earlier, OpenZeppelin hashed `org.zeppelinos.proxy.implementation`. EIP-1822 hashes `PROXIABLE`. A
 * Safe uses the first slot.
 */
export const slots = {
  implementation: "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  admin: "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103",
  beacon: "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50",
  zeppelinos: "0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3",
  proxiable: "0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7",
  first: `0x${"0".repeat(64)}`,
} as const;
export type SlotName = keyof typeof slots;

/** The addresses in the proxy slots of an account. */
export type SlotAddresses = Readonly<Record<SlotName, string | undefined>>;

/** EIP-7702: the code of a delegating account is a prefix and an address. */
const delegation = /^ef0100([0-9a-f]{40})$/;
/** EIP-1167, with or without data behind it, and EIP-7511, its form with PUSH0. */
const clones = [
  /^363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/,
  /^365f5f375f5f365f73([0-9a-f]{40})5af43d5f5f3e5f3d91602a57fd5bf3/,
];
/** The address that an account delegates to, by EIP-7702. */
export function delegateOf(code: Uint8Array): string | undefined {
  const digits = code.length === 23 ? delegation.exec(toHex(code))?.[1] : undefined;
  return digits === undefined ? undefined : `0x${digits}`;
}

/**
 * Recognizes a proxy by its code and its slots. A proxy that is not recognized here may still be recognized by its
 * answers to calls.
 */
export function proxyIn(
  code: Uint8Array,
  kept: SlotAddresses,
): ContractProxy | { readonly beacon: string } | undefined {
  const clone = clones
    .map((form) => form.exec(toHex(code.subarray(0, 64)))?.[1])
    .find((digits) => digits !== undefined);
  if (clone !== undefined) return { type: "EIP-1167", implementation: `0x${clone}` };
  // Whatever the slots hold: code without this instruction cannot run other code as its own.
  if (!delegates(code)) return undefined;
  if (kept.beacon !== undefined) return { beacon: kept.beacon };
  if (kept.implementation !== undefined)
    return { type: kept.admin === undefined ? "EIP-1967" : "Transparent", implementation: kept.implementation };
  if (kept.zeppelinos !== undefined) return { type: "ZeppelinOS", implementation: kept.zeppelinos };
  if (kept.proxiable !== undefined) return { type: "EIP-1822", implementation: kept.proxiable };
  return undefined;
}

/** True when the code can run other code as its own. */
export function delegates(code: Uint8Array): boolean {
  for (const [, op] of instructions(code)) if (op === opcode.delegatecall) return true;
  return false;
}
