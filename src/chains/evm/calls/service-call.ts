import type { CanonicalAddress } from "../../address.ts";
import type { AbiValue } from "../abi/abi-reader.ts";
import type { TupleType } from "../abi/abi-type.ts";
import type { EvmAct } from "../act.ts";
import { collectRoles, type RoleValues } from "./argument-roles.ts";
import { recipientsIn } from "./recipients.ts";
import { rightsIn } from "./rights.ts";
import { addresses, integers, pathTokens } from "./role-values.ts";
import type { Called } from "./token-calls.ts";
import { boughtToken, coinsUsed, forwardsIn, leastOf, paysExactly, type Taking, takesOf } from "./trade.ts";
import { isNativeCoin } from "./wrapped-coins.ts";

/** What one call of a service does, as far as its arguments tell. */
export interface ServiceReading {
  /** The accounts that receive the proceeds, the caller among them where the call is a trade. */
  readonly payOuts: readonly PayOut[];
  /** The rights that the call gives, revokes or weakens. */
  readonly rights: readonly EvmAct[];
  /** Code that the call chooses, and that handles the assets of the trade. */
  readonly executors: readonly CanonicalAddress[];
  /** Tokens that the call names, without the native coin. */
  readonly tokens: readonly CanonicalAddress[];
  /** Other addresses that the call names. */
  readonly mentions: readonly CanonicalAddress[];
  /** The account that receives a share of what the contract has, and the share in 1 of 10,000. */
  readonly fee: { readonly to: CanonicalAddress; readonly bips: bigint } | undefined;
  /** Whether the arguments leave a part of the effect open. */
  readonly isOpaque: boolean;
  /** Whether a recipient or a token is named in a form that only another chain has. */
  readonly paysAbroad: boolean;
  /** Whether the call only forwards what an earlier call left with the contract. */
  readonly forwards: boolean;
  /** Undefined when the call uses nothing that an earlier call left with the contract. */
  readonly takes: Taking | undefined;
  /** The coins that the call uses of those that go with it, wei. */
  readonly usesCoins: bigint;
  /** The tokens that the caller gets for what it pays, where the call names them. */
  readonly bought: readonly CanonicalAddress[];
  /** The exact amount that the call pays. Undefined where the call states none. */
  readonly paysExactly: bigint | undefined;
}

export type PayOut = Extract<EvmAct, { readonly does: "pay_out" }>;

/** A function, with its arguments named by their roles. */
export interface Declaration {
  readonly inputs: TupleType;
  /** Whether the function is a command of a router. */
  readonly isStep?: true;
  /** Whether coins that go with the call stay with the contract for no purpose. */
  readonly isUnpaid?: boolean;
  /** Whether the proceeds stay with the contract until a later call takes them. */
  readonly leavesProceeds?: true;
}

/** The basic orders that a caller fulfils with coins alone are below. Source: Seaport, BasicOrderType. */
const FIRST_TOKEN_ORDER = 8n;

/** Reads a call of a service by the roles of its arguments. Never throws. */
export function readServiceCall(
  { inputs, isStep, isUnpaid, leavesProceeds }: Declaration,
  values: readonly AbiValue[],
  called: Called,
): ServiceReading {
  const roles = collectRoles(inputs, values);
  const { accounts, executors, isForeign } = recipientsIn(roles, called);
  const takes = takesOf(roles);
  const least = leastOf(roles, takes !== undefined);
  const token = boughtToken(roles);
  const forwards = forwardsIn(roles);
  // A trade without a recipient pays its caller.
  const payee = leavesProceeds === true && !forwards ? called.contract : called.by;
  const payees = accounts.length === 0 && least !== undefined ? [payee] : accounts;
  return {
    payOuts: payees.map((to) => ({ does: "pay_out", by: called.contract, to, token, least })),
    rights: rightsIn(roles, called),
    executors,
    tokens: tokensIn(roles),
    mentions: mentionsIn(roles, called),
    paysAbroad: isForeign,
    isOpaque:
      roles.isOpaque ||
      integers(roles, "basicOrderType").some((type) => type >= FIRST_TOKEN_ORDER) ||
      integers(roles, "mustBeZero").some((number) => number !== 0n),
    fee: feeOf(roles),
    forwards,
    takes,
    usesCoins: isUnpaid === true ? 0n : coinsUsed(roles, isStep === true),
    bought: [...addresses(roles, "received"), ...(least === undefined || token === undefined ? [] : [token])],
    paysExactly: paysExactly(roles),
  };
}

function tokensIn(roles: RoleValues): readonly CanonicalAddress[] {
  const named = (["tokenIn", "tokenOut", "token", "received"] as const).flatMap((role) => addresses(roles, role));
  return [...new Set([...named, ...pathTokens(roles)])].filter((token) => !isNativeCoin(token));
}

function mentionsIn(roles: RoleValues, { by }: Called): readonly CanonicalAddress[] {
  const named = (["owner", "feeRecipient", "remoteToken"] as const).flatMap((role) => addresses(roles, role));
  return [...new Set([...roles.others, ...named])].filter((address) => address !== by && !isNativeCoin(address));
}

function feeOf(roles: RoleValues): ServiceReading["fee"] {
  const to = addresses(roles, "feeRecipient").at(-1);
  return to === undefined ? undefined : { to, bips: integers(roles, "bips").at(-1) ?? 0n };
}
