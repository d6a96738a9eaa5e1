import type { SupportedType } from "../../../chains/tron/message/contract-types.ts";
import { TYPE_URL_PREFIX } from "../../../chains/tron/message/raw-data.ts";
import { trx } from "./resources.ts";
import type { TronRule } from "./rule.ts";

/** The stated expiration is not after the stated creation, so no node accepts the transaction. */
export const expired: TronRule = ({ lifetimeMs }) =>
  lifetimeMs !== undefined && lifetimeMs <= 0n ? "expires before it was made" : undefined;

/**
 * A node refuses transactions that expire later than in one day. Source: java-tron,
 * Constant.MAXIMUM_TIME_UNTIL_EXPIRATION.
 */
const LONGEST_MS = 86_400_000n;

/** T13: a stranger may keep the signed transaction and send it later. */
export const expiresLate: TronRule = ({ lifetimeMs }) =>
  lifetimeMs !== undefined && lifetimeMs > LONGEST_MS
    ? "can be kept, once signed, and sent to the network more than a day after it was made"
    : undefined;

/**
 * Chosen: calls of well-known tokens and exchanges burn less than 100 TRX. A hostile contract burns up to the limit.
 */
const HIGH_SUN = 1_000_000_000n;

/** T13: the highest fee that the call may burn. */
export const highFeeLimit: TronRule = ({ feeLimitSun }) =>
  feeLimitSun > HIGH_SUN ? `lets the call burn up to ${trx(feeLimitSun)} in fees` : undefined;

/** T15: only the first operation is analysed, and nodes accept no more than one. */
export const severalOperations: TronRule = ({ operationCount }) =>
  operationCount > 1 ? `holds ${operationCount} operations, of which only the first was analysed` : undefined;

/** The protocol states the type twice. A transaction that shows one type and signs another deceives the signer. */
export const typeDiffers: TronRule = ({ type, typeUrl }) => {
  if (typeUrl === undefined || typeUrl === "") return undefined;
  // Any.pack of both libraries writes the prefix. The text before the last slash has no meaning.
  const named = typeUrl.slice(typeUrl.lastIndexOf("/") + 1);
  return named === `${TYPE_URL_PREFIX.split("/")[1]}${type}`
    ? undefined
    : `says ${type}, and its type_url another type`;
};

/** Signers do not write unknown fields into the transaction, so these fields have no effect. */
export const unexpectedFields: TronRule = ({ operation, strays: around, type }) => {
  // Compilers add fields to an ABI, which are no payload.
  const inside = (operation.strays ?? []).filter((path) => !path.startsWith("new_contract.abi."));
  const strays = [...around, ...inside];
  return strays.length === 0
    ? undefined
    : `fields that a transaction with ${type.slice(0, 60)} does not have: ${strays.slice(0, 5).join(", ").slice(0, 200)}`;
};

/**
 * T14: operations that users rarely intend, by the type alone. They are harmless, but should be read before signing.
 */
const notes: Partial<Readonly<Record<SupportedType, string>>> = {
  AccountCreateContract: "creates an account, for a fee",
  VoteAssetContract: "an operation that no node executes any more",
  AssetIssueContract: "issues a TRC-10, for a fee of 1,024 TRX",
  SetAccountIdContract: "gives the account an id that can never be changed",
  CreateSmartContract: "deploys a contract",
  UpdateSettingContract: "changes who pays for calls of a contract of yours",
  UpdateEnergyLimitContract: "changes what a contract of yours may use",
  UpdateBrokerageContract: "changes the share that your voters get",
  ProposalCreateContract: "proposes to change parameters of the chain",
  ProposalApproveContract: "votes on a proposal to change the chain",
  ProposalDeleteContract: "takes a proposal back",
  ExchangeCreateContract: "puts tokens into an exchange pair of its own",
  ExchangeInjectContract: "puts tokens into an exchange pair",
};

export const worthKnowing: TronRule = ({ operation }) => notes[operation.type];
