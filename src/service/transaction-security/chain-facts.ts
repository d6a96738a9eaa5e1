import type { CanonicalAddress } from "../../chains/address.ts";
import { counterpartyOf } from "../../chains/tron/counterparty.ts";
import { addressIn, hexIn, integerIn } from "../../chains/tron/message-value.ts";
import type { Operation } from "../../chains/tron/operation.ts";
import { readTokenCall } from "../../chains/tron/token-call.ts";
import { tronHexOf } from "../../chains/tron-address.ts";
import type { Result } from "../../kernel/result.ts";
import { ok } from "../../kernel/result.ts";
import { ZERO_ADDRESS } from "./known-address.ts";
import type { AccountState, Execution, TronNode } from "./tron-node.ts";

/** What the chain says about one operation. What was not asked is undefined: it has nothing to do with it. */
export interface ChainFacts {
  readonly owner: AccountState | "not activated";
  readonly counterparty: AccountState | "not activated" | undefined;
  /** Of the contract that is called, in hex. */
  readonly code: string | "no contract" | undefined;
  readonly execution: Execution | undefined;
  /** What the owner has of the token that is called; undefined where the token does not say. */
  readonly tokenBalance: bigint | undefined;
}

/**
 * Asks a node what an operation needs, all at once. One answer that is missing leaves nothing: half of what was asked for
 * must not be taken for a verdict.
 */
export async function askChain(node: TronNode, operation: Operation): Promise<Result<ChainFacts>> {
  const { owner, type, value } = operation;
  const counterparty = counterpartyOf(operation);
  const asksCounterparty =
    counterparty !== undefined &&
    counterparty.role !== "contract" &&
    counterparty.address !== owner &&
    counterparty.address !== ZERO_ADDRESS;
  const contract = type === "TriggerSmartContract" ? addressIn(value, "contract_address") : undefined;
  const [ownState, otherState, code, execution, tokenBalance] = await Promise.all([
    node.account(owner),
    asksCounterparty ? node.account(counterparty.address) : nothing,
    contract === undefined ? nothing : node.code(contract),
    contract === undefined ? nothing : node.execute(callOf(operation, contract)),
    contract === undefined ? nothing : balanceOf(node, operation, contract),
  ]);
  if (!ownState.ok) return ownState;
  if (!otherState.ok) return otherState;
  if (!code.ok) return code;
  if (!execution.ok) return execution;
  if (!tokenBalance.ok) return tokenBalance;
  return ok({
    owner: ownState.value ?? "not activated",
    counterparty: asksCounterparty ? (otherState.value ?? "not activated") : undefined,
    code: contract === undefined ? undefined : (code.value ?? "no contract"),
    execution: execution.value,
    tokenBalance: tokenBalance.value,
  });
}

const nothing = ok(undefined);

function callOf({ owner, value }: Operation, contract: CanonicalAddress) {
  return {
    owner,
    contract,
    data: hexIn(value, "data"),
    valueSun: integerIn(value, "call_value"),
    tokenValue: integerIn(value, "call_token_value"),
    tokenId: integerIn(value, "token_id"),
  };
}

/** balanceOf(address) */
const BALANCE_OF = "70a08231";
const WORD = /^[0-9a-f]{64}$/;

/** Only an approval is compared with it. */
async function balanceOf(
  node: TronNode,
  { owner, value }: Operation,
  contract: CanonicalAddress,
): Promise<Result<bigint | undefined>> {
  const reading = readTokenCall(hexIn(value, "data"));
  if (reading.is !== "token" || reading.call.does !== "approve" || reading.call.amount === 0n) return nothing;
  const data = BALANCE_OF + tronHexOf(owner).slice(2).padStart(64, "0");
  const asked = await node.execute({ owner, contract, data, valueSun: 0n, tokenValue: 0n, tokenId: 0n });
  if (!asked.ok) return asked;
  const isSaid = asked.value.ended === "done" && WORD.test(asked.value.returned);
  return ok(isSaid ? BigInt(`0x${asked.value.returned}`) : undefined);
}
