import type { CanonicalAddress } from "../../address.ts";
import { addressOf } from "../abi/abi-reader.ts";
import type { Arguments } from "../abi/arguments.ts";
import type { EvmAct } from "../act.ts";

/** The caller and the called contract. */
export interface Called {
  readonly by: CanonicalAddress;
  readonly contract: CanonicalAddress;
}

export type ReadActs = (args: Arguments, called: Called) => readonly EvmAct[];

/** 2^256 - 1: the unlimited amount. */
export const ALL = 2n ** 256n - 1n;

/** The zero address, which has no known key. An approval of it revokes the right to an item. */
export const ZERO_ADDRESS: CanonicalAddress = addressOf("0".repeat(40));

const approval = (
  token: CanonicalAddress,
  of: CanonicalAddress,
  spender: CanonicalAddress,
  amount: bigint,
  { adds = false, by = "call" }: { readonly adds?: boolean; readonly by?: "call" | "signature" } = {},
): EvmAct =>
  // An approval of 0 or of the zero address is a revocation. An increase by 0 changes nothing.
  amount === 0n || spender === ZERO_ADDRESS
    ? { does: "revoke", token, of, spender }
    : { does: "approve", token, of, spender, amount, adds, by };

const movedFrom: ReadActs = (args, { contract }) => [
  { does: "transfer", token: contract, from: args.address(0), to: args.address(1), amount: args.integer(2) },
];

const approves =
  (adds: boolean): ReadActs =>
  (args, { contract, by }) => [approval(contract, by, args.address(0), args.integer(1), { adds })];

/** The call that approves both tokens and items. */
const approvesOf: ReadActs = (args, called) => {
  const [act] = approves(false)(args, called);
  const isZero = act?.does === "revoke" && act.spender !== ZERO_ADDRESS;
  return act === undefined ? [] : [isZero ? { ...act, orGivesItem: true } : act];
};

const reduces: ReadActs = (args, { contract, by }) => [
  { does: "revoke", token: contract, of: by, spender: args.address(0) },
];

const permits: ReadActs = (args, { contract }) => [
  approval(contract, args.address(0), args.address(1), args.integer(2), { by: "signature" }),
];

/** ERC-20, ERC-721 and ERC-1155, with EIP-2612, DAI's variant of EIP-2612, and EIP-3009. */
const ofTokens: Readonly<Record<string, ReadActs>> = {
  "transfer(address,uint256)": (args, { contract, by }) => [
    { does: "transfer", token: contract, from: by, to: args.address(0), amount: args.integer(1) },
  ],
  "transferFrom(address,address,uint256)": movedFrom,
  "safeTransferFrom(address,address,uint256)": movedFrom,
  "safeTransferFrom(address,address,uint256,bytes)": movedFrom,
  "safeTransferFrom(address,address,uint256,uint256,bytes)": (args, { contract }) => [
    { does: "transfer", token: contract, from: args.address(0), to: args.address(1), amount: args.integer(3) },
  ],
  "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)": (args, { contract }) => {
    const amounts = args.integers(3);
    // An empty batch still names a receiver.
    return (amounts.length === 0 ? [0n] : amounts).map((amount) => ({
      does: "transfer",
      token: contract,
      from: args.address(0),
      to: args.address(1),
      amount,
    }));
  },
  "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)": movedFrom,
  "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)": movedFrom,
  "approve(address,uint256)": approvesOf,
  "increaseAllowance(address,uint256)": approves(true),
  "increaseApproval(address,uint256)": approves(true),
  "decreaseAllowance(address,uint256)": reduces,
  "decreaseApproval(address,uint256)": reduces,
  "setApprovalForAll(address,bool)": (args, { contract, by }) => [
    { does: args.flag(1) ? "approve_all" : "revoke", token: contract, of: by, spender: args.address(0) },
  ],
  "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)": permits,
  "permit(address,address,uint256,uint256,bytes)": permits,
  "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)": (args, { contract }) => [
    approval(contract, args.address(0), args.address(1), args.flag(4) ? ALL : 0n, { by: "signature" }),
  ],
  "transferOwnership(address)": (args, { contract }) => [{ does: "give_ownership", contract, to: args.address(0) }],
};

/**
 * A permission of Permit2: `spender` may take the tokens in `details`. Calldata names the spender once for all tokens.
 */
const permitted = (
  details: readonly Arguments[],
  of: CanonicalAddress,
  spender: CanonicalAddress,
): readonly EvmAct[] => {
  const acts = details.map((each) => approval(each.address(0), of, spender, each.integer(1), { by: "signature" }));
  const first = acts.find(({ does }) => does === "revoke");
  return acts.map((act) => (act.does === "revoke" && act !== first ? { ...act, sharesMention: true } : act));
};

/** A signed transfer moves the amount that its caller asks for, at most the signed amount. */
const signedMove = (permit: Arguments, details: Arguments, owner: CanonicalAddress): EvmAct => ({
  does: "transfer",
  token: permit.address(0),
  from: owner,
  to: details.address(0),
  amount: details.integer(1),
});

const signedTransfer: ReadActs = (args) => [signedMove(args.tuple(0).tuple(0), args.tuple(1), args.address(2))];

/** Permit2 pairs the lists by index and refuses lists of different lengths. */
const signedTransfers: ReadActs = (args) => {
  const permits = args.tuple(0).tuples(0);
  return args.tuples(1).flatMap((details, i) => {
    const permit = permits[i];
    return permit === undefined ? [] : [signedMove(permit, details, args.address(2))];
  });
};

/** The functions of Permit2. Source: Permit2, AllowanceTransfer and SignatureTransfer interfaces. */
const ofPermit2: Readonly<Record<string, ReadActs>> = {
  "approve(address,address,uint160,uint48)": (args, { by }) => [
    approval(args.address(0), by, args.address(1), args.integer(2)),
  ],
  "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)": (args) =>
    permitted([args.tuple(1).tuple(0)], args.address(0), args.tuple(1).address(1)),
  "permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)": (args) =>
    permitted(args.tuple(1).tuples(0), args.address(0), args.tuple(1).address(1)),
  "transferFrom(address,address,uint160,address)": (args) => [
    {
      does: "transfer",
      token: args.address(3),
      from: args.address(0),
      to: args.address(1),
      amount: args.integer(2),
    },
  ],
  "transferFrom((address,address,uint160,address)[])": (args) =>
    args.tuples(0).map((each) => ({
      does: "transfer",
      token: each.address(3),
      from: each.address(0),
      to: each.address(1),
      amount: each.integer(2),
    })),
  "permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)": signedTransfer,
  "permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)": signedTransfers,
  "permitWitnessTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes32,string,bytes)":
    signedTransfer,
  "permitWitnessTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes32,string,bytes)":
    signedTransfers,
  "lockdown((address,address)[])": (args, { by }) =>
    args.tuples(0).map((each) => ({ does: "revoke", token: each.address(0), of: by, spender: each.address(1) })),
};

/** Calls with effects of their own, by signature. */
export const signatures: Readonly<Record<string, ReadActs>> = { ...ofTokens, ...ofPermit2 };
