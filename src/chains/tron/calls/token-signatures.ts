import type { CanonicalAddress } from "../../address.ts";

/**
 * A call of a token contract (TRC-20, TRC-721 or TRC-1155), by its selector. Amounts are raw units, or the id of an
 * item.
 */
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
      /** Whether the token calls the spender afterwards, for any amount. */
      readonly callsSpender?: true;
    }
  | { readonly does: "reduce"; readonly spender: CanonicalAddress; readonly amount: bigint }
  | { readonly does: "approve_all"; readonly spender: CanonicalAddress; readonly isGranted: boolean }
  | { readonly does: "give_ownership"; readonly to: CanonicalAddress };

/** The arguments of a call, by word index. */
export interface Words {
  readonly address: (index: number) => CanonicalAddress;
  readonly integer: (index: number) => bigint;
}

/** The rule for reading the calls of one function. */
export interface Signature {
  readonly signature: string;
  /** The number of required arguments, 32 bytes each. */
  readonly words: number;
  /** Indexes of the arguments that hold addresses. */
  readonly addresses: readonly number[];
  /** Index of the argument with the bytes that the recipient or spender is called with, if there is one. */
  readonly payload?: number;
  readonly read: (words: Words) => TokenCall;
}

const UNLIMITED = 2n ** 256n - 1n;
const transferFrom = (words: Words): TokenCall => ({
  does: "transfer",
  from: words.address(0),
  to: words.address(1),
  amount: words.integer(2),
});
const transfer = (words: Words): TokenCall => ({
  does: "transfer",
  from: undefined,
  to: words.address(0),
  amount: words.integer(1),
});
const permit = (words: Words): TokenCall => ({
  does: "approve",
  of: words.address(0),
  spender: words.address(1),
  amount: words.integer(2),
  adds: false,
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
const approveAndCall = (words: Words): TokenCall => ({
  does: "approve",
  of: undefined,
  spender: words.address(0),
  amount: words.integer(1),
  adds: false,
  callsSpender: true,
});
const reduce = (words: Words): TokenCall => ({ does: "reduce", spender: words.address(0), amount: words.integer(1) });

const givesTo =
  (index: number) =>
  (words: Words): TokenCall => ({ does: "give_ownership", to: words.address(index) });

/**
 * Signatures by the first four bytes of their Keccak-256. test/unit/chains/tron/calls/token-call.test.ts verifies the
 * hashes.
 */
export const tokenSignatures: Readonly<Record<string, Signature>> = {
  a9059cbb: { signature: "transfer(address,uint256)", words: 2, addresses: [0], read: transfer },
  "23b872dd": { signature: "transferFrom(address,address,uint256)", words: 3, addresses: [0, 1], read: transferFrom },
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
    payload: 3,
    read: transferFrom,
  },
  f242432a: {
    signature: "safeTransferFrom(address,address,uint256,uint256,bytes)",
    words: 5,
    addresses: [0, 1],
    payload: 4,
    read: (words) => ({ does: "transfer", from: words.address(0), to: words.address(1), amount: words.integer(3) }),
  },
  // The call moves amounts of several items. A sum over items has no meaning.
  "2eb2c2d6": {
    signature: "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)",
    words: 5,
    addresses: [0, 1],
    payload: 4,
    read: (words) => ({ does: "transfer", from: words.address(0), to: words.address(1), amount: 0n }),
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
    // Any value but 0 is true, or the contract refuses it.
    read: (words) => ({ does: "approve_all", spender: words.address(0), isGranted: words.integer(1) !== 0n }),
  },
  d505accf: {
    signature: "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
    words: 7,
    addresses: [0, 1],
    read: permit,
  },
  // WTRX and other tokens of the DSToken family.
  daea85c5: {
    signature: "approve(address)",
    words: 1,
    addresses: [0],
    read: (words) => ({ does: "approve", of: undefined, spender: words.address(0), amount: UNLIMITED, adds: false }),
  },
  b753a98c: { signature: "push(address,uint256)", words: 2, addresses: [0], read: transfer },
  bb35783b: { signature: "move(address,address,uint256)", words: 3, addresses: [0, 1], read: transferFrom },
  cae9ca51: {
    signature: "approveAndCall(address,uint256,bytes)",
    words: 3,
    addresses: [0],
    payload: 2,
    read: approveAndCall,
  },
  "3177029f": { signature: "approveAndCall(address,uint256)", words: 2, addresses: [0], read: approveAndCall },
  // ERC-677 and ERC-1363: the token calls the recipient.
  "4000aea0": {
    signature: "transferAndCall(address,uint256,bytes)",
    words: 3,
    addresses: [0],
    payload: 2,
    read: transfer,
  },
  "1296ee62": { signature: "transferAndCall(address,uint256)", words: 2, addresses: [0], read: transfer },
  c1d34b89: {
    signature: "transferFromAndCall(address,address,uint256,bytes)",
    words: 4,
    addresses: [0, 1],
    payload: 3,
    read: transferFrom,
  },
  d8fbe994: {
    signature: "transferFromAndCall(address,address,uint256)",
    words: 3,
    addresses: [0, 1],
    read: transferFrom,
  },
  // ERC-777.
  "9bd9bbc6": { signature: "send(address,uint256,bytes)", words: 3, addresses: [0], payload: 2, read: transfer },
  "959b8c3f": {
    signature: "authorizeOperator(address)",
    words: 1,
    addresses: [0],
    read: (words) => ({ does: "approve_all", spender: words.address(0), isGranted: true }),
  },
  fad8b32a: {
    signature: "revokeOperator(address)",
    words: 1,
    addresses: [0],
    read: (words) => ({ does: "approve_all", spender: words.address(0), isGranted: false }),
  },
  // ERC-6909, and collections with their own functions.
  "558a7297": {
    signature: "setOperator(address,bool)",
    words: 2,
    addresses: [0],
    read: (words) => ({ does: "approve_all", spender: words.address(0), isGranted: words.integer(1) !== 0n }),
  },
  "423f6cef": { signature: "safeTransfer(address,uint256)", words: 2, addresses: [0], read: transfer },
  eb795549: { signature: "safeTransfer(address,uint256,bytes)", words: 3, addresses: [0], payload: 2, read: transfer },
  // EIP-3009, signed by the payer.
  e3ee160e: {
    signature: "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
    words: 9,
    addresses: [0, 1],
    read: transferFrom,
  },
  ef55bec6: {
    signature: "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
    words: 9,
    addresses: [0, 1],
    read: transferFrom,
  },
  // Debt in the name of the user. Source: Aave, ICreditDelegationToken.
  c04a8a10: { signature: "approveDelegation(address,uint256)", words: 2, addresses: [0], read: approve(false) },
  // ERC-4494: an approval of one item. Any number is the id of an item.
  "7ac2ff7b": {
    signature: "permit(address,uint256,uint256,uint8,bytes32,bytes32)",
    words: 6,
    addresses: [0],
    read: (words) => ({ does: "approve", of: undefined, spender: words.address(0), amount: 1n, adds: false }),
  },
  "9fd5a6cf": { signature: "permit(address,address,uint256,uint256,bytes)", words: 5, addresses: [0, 1], read: permit },
  // Permit2: the direct approval and the signed approval.
  "87517c45": {
    signature: "approve(address,address,uint160,uint48)",
    words: 4,
    addresses: [0, 1],
    read: (words) => ({
      does: "approve",
      of: undefined,
      spender: words.address(1),
      amount: words.integer(2),
      adds: false,
    }),
  },
  "2b67b570": {
    signature: "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)",
    words: 8,
    addresses: [0, 1, 5],
    read: (words) => ({
      does: "approve",
      of: words.address(0),
      spender: words.address(5),
      amount: words.integer(2),
      adds: false,
    }),
  },
  "36c78516": {
    signature: "transferFrom(address,address,uint160,address)",
    words: 4,
    addresses: [0, 1, 3],
    read: transferFrom,
  },
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
  // Power over a contract: its owner, its admin, a role, the code that it runs.
  f2fde38b: { signature: "transferOwnership(address)", words: 1, addresses: [0], read: givesTo(0) },
  f1739cae: { signature: "transferProxyOwnership(address)", words: 1, addresses: [0], read: givesTo(0) },
  "7eff275e": { signature: "changeProxyAdmin(address,address)", words: 2, addresses: [0, 1], read: givesTo(1) },
  "8f283970": { signature: "changeAdmin(address)", words: 1, addresses: [0], read: givesTo(0) },
  "13af4035": { signature: "setOwner(address)", words: 1, addresses: [0], read: givesTo(0) },
  a6f9dae1: { signature: "changeOwner(address)", words: 1, addresses: [0], read: givesTo(0) },
  "2f2ff15d": { signature: "grantRole(bytes32,address)", words: 2, addresses: [1], read: givesTo(1) },
  "3659cfe6": { signature: "upgradeTo(address)", words: 1, addresses: [0], read: givesTo(0) },
  "4f1ef286": { signature: "upgradeToAndCall(address,bytes)", words: 2, addresses: [0], read: givesTo(0) },
  "983b2d56": { signature: "addMinter(address)", words: 1, addresses: [0], read: givesTo(0) },
  "7065cb48": { signature: "addOwner(address)", words: 1, addresses: [0], read: givesTo(0) },
  "0d582f13": { signature: "addOwnerWithThreshold(address,uint256)", words: 2, addresses: [0], read: givesTo(0) },
  "610b5925": { signature: "enableModule(address)", words: 1, addresses: [0], read: givesTo(0) },
  "1627540c": { signature: "nominateNewOwner(address)", words: 1, addresses: [0], read: givesTo(0) },
  "704b6c02": { signature: "setAdmin(address)", words: 1, addresses: [0], read: givesTo(0) },
  ab033ea9: { signature: "setGovernance(address)", words: 1, addresses: [0], read: givesTo(0) },
  d784d426: { signature: "setImplementation(address)", words: 1, addresses: [0], read: givesTo(0) },
  fca3b5aa: { signature: "setMinter(address)", words: 1, addresses: [0], read: givesTo(0) },
  b3ab15fb: { signature: "setOperator(address)", words: 1, addresses: [0], read: givesTo(0) },
  "4dd18bf5": { signature: "setPendingAdmin(address)", words: 1, addresses: [0], read: givesTo(0) },
  b71d1a0c: { signature: "_setPendingAdmin(address)", words: 1, addresses: [0], read: givesTo(0) },
  e318b52b: { signature: "swapOwner(address,address,address)", words: 3, addresses: [0, 1, 2], read: givesTo(2) },
  d38bfff4: { signature: "transferGovernance(address)", words: 1, addresses: [0], read: givesTo(0) },
  "99a88ec4": { signature: "upgrade(address,address)", words: 2, addresses: [0, 1], read: givesTo(1) },
  "9623609d": { signature: "upgradeAndCall(address,address,bytes)", words: 3, addresses: [0, 1], read: givesTo(1) },
};
