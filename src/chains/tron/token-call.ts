import type { CanonicalAddress } from "../address.ts";
import { parseAddress } from "../address.ts";

/** A call of a token contract, TRC-20, TRC-721 or TRC-1155, by its selector. Amounts are raw units, or the id of an item. */
export type TokenCall =
  | {
      readonly does: "transfer";
      readonly from: CanonicalAddress | undefined;
      readonly to: CanonicalAddress;
      readonly amount: bigint;
    }
  | {
      readonly does: "approve";
      readonly of: CanonicalAddress | undefined;
      readonly spender: CanonicalAddress;
      readonly amount: bigint;
      readonly adds: boolean;
    }
  | { readonly does: "reduce"; readonly spender: CanonicalAddress; readonly amount: bigint }
  | { readonly does: "approve_all"; readonly spender: CanonicalAddress; readonly isGranted: boolean }
  | { readonly does: "give_ownership"; readonly to: CanonicalAddress };

/**
 * What calldata is: a token call, or something else. Of a broken one, whose arguments are cut or dirty, `call` is what a
 * contract makes of it that does not refuse it: those of Solidity before 0.5, of which TRON's most used tokens are.
 */
export type CallReading =
  | { readonly is: "token"; readonly name: string; readonly call: TokenCall; readonly isBroken: boolean }
  | { readonly is: "other"; readonly selector: string };

interface Words {
  readonly address: (index: number) => CanonicalAddress;
  readonly integer: (index: number) => bigint;
}

interface Signature {
  readonly signature: string;
  /** Arguments that must be there, 32 bytes each. */
  readonly words: number;
  /** Which of them hold addresses. */
  readonly addresses: readonly number[];
  readonly read: (words: Words) => TokenCall;
}

const UNLIMITED = 2n ** 256n - 1n;
const transferFrom = (words: Words): TokenCall => ({
  does: "transfer",
  from: words.address(0),
  to: words.address(1),
  amount: words.integer(2),
});
const approve =
  (adds: boolean) =>
  (words: Words): TokenCall => ({
    does: "approve",
    of: undefined,
    spender: words.address(0),
    amount: words.integer(1),
    adds,
  });
const reduce = (words: Words): TokenCall => ({ does: "reduce", spender: words.address(0), amount: words.integer(1) });

/** By the first four bytes of the Keccak-256 of each signature; test/unit/chains/tron/token-call.test.ts hashes them. */
export const tokenSignatures: Readonly<Record<string, Signature>> = {
  a9059cbb: {
    signature: "transfer(address,uint256)",
    words: 2,
    addresses: [0],
    read: (words) => ({ does: "transfer", from: undefined, to: words.address(0), amount: words.integer(1) }),
  },
  "23b872dd": {
    signature: "transferFrom(address,address,uint256)",
    words: 3,
    addresses: [0, 1],
    read: transferFrom,
  },
  "42842e0e": {
    signature: "safeTransferFrom(address,address,uint256)",
    words: 3,
    addresses: [0, 1],
    read: transferFrom,
  },
  b88d4fde: {
    signature: "safeTransferFrom(address,address,uint256,bytes)",
    words: 4,
    addresses: [0, 1],
    read: transferFrom,
  },
  f242432a: {
    signature: "safeTransferFrom(address,address,uint256,uint256,bytes)",
    words: 5,
    addresses: [0, 1],
    read: (words) => ({ does: "transfer", from: words.address(0), to: words.address(1), amount: words.integer(3) }),
  },
  "095ea7b3": { signature: "approve(address,uint256)", words: 2, addresses: [0], read: approve(false) },
  "39509351": { signature: "increaseAllowance(address,uint256)", words: 2, addresses: [0], read: approve(true) },
  d73dd623: { signature: "increaseApproval(address,uint256)", words: 2, addresses: [0], read: approve(true) },
  a457c2d7: { signature: "decreaseAllowance(address,uint256)", words: 2, addresses: [0], read: reduce },
  "66188463": { signature: "decreaseApproval(address,uint256)", words: 2, addresses: [0], read: reduce },
  a22cb465: {
    signature: "setApprovalForAll(address,bool)",
    words: 2,
    addresses: [0],
    // Any value but 0 is true, or refused by the contract.
    read: (words) => ({ does: "approve_all", spender: words.address(0), isGranted: words.integer(1) !== 0n }),
  },
  d505accf: {
    signature: "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
    words: 7,
    addresses: [0, 1],
    read: (words) => ({
      does: "approve",
      of: words.address(0),
      spender: words.address(1),
      amount: words.integer(2),
      adds: false,
    }),
  },
  // WTRX and other tokens of the DSToken family.
  daea85c5: {
    signature: "approve(address)",
    words: 1,
    addresses: [0],
    read: (words) => ({ does: "approve", of: undefined, spender: words.address(0), amount: UNLIMITED, adds: false }),
  },
  b753a98c: {
    signature: "push(address,uint256)",
    words: 2,
    addresses: [0],
    read: (words) => ({ does: "transfer", from: undefined, to: words.address(0), amount: words.integer(1) }),
  },
  bb35783b: { signature: "move(address,address,uint256)", words: 3, addresses: [0, 1], read: transferFrom },
  cae9ca51: { signature: "approveAndCall(address,uint256,bytes)", words: 3, addresses: [0], read: approve(false) },
  // DAI's permit: all or nothing.
  "8fcbaf0c": {
    signature: "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
    words: 8,
    addresses: [0, 1],
    read: (words) => ({
      does: "approve",
      of: words.address(0),
      spender: words.address(1),
      amount: words.integer(4) === 0n ? 0n : UNLIMITED,
      adds: false,
    }),
  },
  f2fde38b: {
    signature: "transferOwnership(address)",
    words: 1,
    addresses: [0],
    read: (words) => ({ does: "give_ownership", to: words.address(0) }),
  },
};

const SELECTOR_DIGITS = 8;
const WORD_DIGITS = 64;
/** In front of the 20 bytes of an address; older libraries leave TRON's prefix 41 there. */
const addressPadding = /^0{22}(00|41)$/;

/**
 * Reads calldata in hex. Bytes behind the arguments are passed over, as a contract passes over them. What is not there is
 * read as zeros, and of a word that is too large for an address the end, as old compilers have it; both make it broken.
 */
export function readTokenCall(data: string): CallReading {
  const selector = data.slice(0, SELECTOR_DIGITS);
  const known = Object.hasOwn(tokenSignatures, selector) ? tokenSignatures[selector] : undefined;
  if (known === undefined) return { is: "other", selector };
  const [name = ""] = known.signature.split("(");
  const word = (index: number) => {
    const given = data.slice(SELECTOR_DIGITS + index * WORD_DIGITS).slice(0, WORD_DIGITS);
    return given.padEnd(WORD_DIGITS, "0");
  };
  const isWhole = data.length >= SELECTOR_DIGITS + known.words * WORD_DIGITS;
  const isBroken = !isWhole || !known.addresses.every((index) => addressPadding.test(word(index).slice(0, 24)));
  const address = (index: number) => addressOf(word(index).slice(24));
  return { is: "token", name, call: known.read({ address, integer: (index) => BigInt(`0x${word(index)}`) }), isBroken };
}

/** Of 20 bytes in hex, which are an address whatever they are. */
function addressOf(digits: string): CanonicalAddress {
  const address = parseAddress("tron", `41${digits}`);
  if (!address.ok) throw new Error("20 bytes in hex are an address");
  return address.value;
}
