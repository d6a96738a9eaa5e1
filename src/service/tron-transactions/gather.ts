import type { TransactionSecurityRequest, TronTransaction } from "../../api/schemas/transaction-security.ts";
import type { CanonicalAddress } from "../../chains/address.ts";
import { findChain } from "../../chains/registry.ts";
import { addressesInCall } from "../../chains/tron/calls/addresses-in-call.ts";
import { tokensPaidIn } from "../../chains/tron/calls/proceeds.ts";
import { callsOf, counterpartyOf } from "../../chains/tron/counterparty.ts";
import { addressIn, hexIn, integerIn, type MessageValue, textIn } from "../../chains/tron/message/message-value.ts";
import type { Envelope } from "../../chains/tron/message/raw-data.ts";
import type { Operation } from "../../chains/tron/operation.ts";
import type { LabelBook } from "../labels/label-book.ts";
import type { TronChainFacts } from "./chain-facts.ts";
import type { Site, TronFacts } from "./facts.ts";
import { listedAddresses } from "./listed-addresses.ts";
import { analyseUpdate } from "./permissions/permission-analysis.ts";
import { recognizedAddress } from "./recognized-address.ts";
import { grantsIn, movesIn } from "./token-moves.ts";

const chain = findChain("tron") ?? bug();

type TronContract = TronTransaction["raw_data"]["contract"][number];

/** Collects the facts about one transaction from its first operation, the labels, and the node's answers, if any. */
export function gather(
  { dapp_url }: Pick<TransactionSecurityRequest, "dapp_url">,
  { raw_data }: TronTransaction,
  contract: TronContract,
  { body, head, strays }: Envelope,
  operation: Operation,
  labels: LabelBook,
  chainFacts?: TronChainFacts,
): TronFacts {
  const execution = chainFacts?.execution;
  const logs = execution?.ended === "done" ? execution.logs : [];
  const [moves, grants] = [movesIn(logs), grantsIn(logs)];
  const payments = execution?.ended === "done" ? execution.payments : [];
  return {
    type: contract.type,
    operationCount: raw_data.contract.length,
    typeUrl: contract.parameter.type_url,
    permissionId: integerIn(head, "Permission_id"),
    memo: textIn(body, "data"),
    feeLimitSun: integerIn(body, "fee_limit"),
    strays,
    lifetimeMs: lifetimeOf(body),
    site: siteOf(dapp_url, labels),
    chain: chainFacts,
    moves,
    grants,
    payments,
    isService: (address) => labels.vouchesFor(chain, address, "protocol", "bridge"),
    isBridge: (address) => labels.vouchesFor(chain, address, "bridge"),
    isTrustedToken: (address) => labels.vouchesFor(chain, address, "token"),
    ...operationFacts(operation, contract.parameter.value, labels, { chainFacts, moves, grants, payments }),
  };
}

/** Nodes allow five keys in each of ten permissions. */
const MAX_KEYS = 50;

type OperationFacts = Pick<
  TronFacts,
  | "operation"
  | "call"
  | "calls"
  | "permissions"
  | "counterparty"
  | "foreignKeys"
  | "contract"
  | "listed"
  | "imitationNamed"
>;

/** Results of an execution, if there was one. */
interface Seen extends Pick<TronFacts, "moves" | "grants" | "payments"> {
  readonly chainFacts: TronChainFacts | undefined;
}

function operationFacts(operation: Operation, payload: unknown, labels: LabelBook, seen: Seen): OperationFacts {
  const { type, owner, value } = operation;
  const known = (address: CanonicalAddress) => recognizedAddress(chain, address, owner, labels);
  const calls = callsOf(operation);
  const call = calls?.call;
  const counterparty = counterpartyOf(operation, calls);
  const called = calls === undefined ? undefined : addressIn(value, "contract_address");
  const permissions =
    type === "AccountPermissionUpdateContract" ? analyseUpdate(value, owner, accountIn(seen.chainFacts)) : undefined;
  const keys = [permissions?.owner, permissions?.witness, ...(permissions?.actives ?? [])].flatMap((permission) =>
    (permission?.keys ?? []).map(({ address }) => address),
  );
  const foreignKeys = [...new Set(keys)].filter((address) => address !== owner).slice(0, MAX_KEYS);
  const named = call?.is === "other" ? addressesInCall(hexIn(value, "data")) : [];
  return {
    operation,
    call,
    calls,
    permissions,
    counterparty: counterparty && { ...known(counterparty.address), role: counterparty.role },
    foreignKeys: foreignKeys.map(known),
    contract: called === undefined ? undefined : known(called),
    listed: listedAddresses(chain, { operation, payload, calls, counterparty, called, keys, ...seen }, labels),
    imitationNamed:
      calls?.call.is === "other" ? imitationAmong([...tokensPaidIn(calls), ...named], owner, labels) : undefined,
  };
}

function imitationAmong(named: readonly CanonicalAddress[], owner: CanonicalAddress, labels: LabelBook) {
  const imitation = [...new Set(named)].find(
    (address) => !labels.vouchesFor(chain, address, "token") && labels.tokenImitatedBy(chain, address) !== undefined,
  );
  return imitation === undefined ? undefined : recognizedAddress(chain, imitation, owner, labels);
}

/** An account that was never activated gets the initial permissions. */
function accountIn(present: TronChainFacts | undefined) {
  return present === undefined || present.owner === "not activated" ? undefined : present.owner;
}

/** The highest risk level among the labels of the host and of its parent domains. */
function siteOf(dappUrl: string | undefined, labels: LabelBook): Site | undefined {
  if (dappUrl === undefined || dappUrl === "") return undefined;
  const host = new URL(dappUrl).hostname.replace(/\.+$/, "");
  const levels = labels.sitesOf(host).map(({ riskLevel }) => riskLevel ?? 0);
  return { host, riskLevel: Math.max(0, ...levels) };
}

/** A transaction without a creation time counts as made in 1970. */
function lifetimeOf(body: MessageValue): bigint | undefined {
  const expiration = integerIn(body, "expiration");
  return expiration === 0n ? undefined : expiration - integerIn(body, "timestamp");
}

function bug(): never {
  throw new Error("TRON is a known chain");
}
