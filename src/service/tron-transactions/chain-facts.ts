import type { CanonicalAddress } from "../../chains/address.ts";
import { assetIdsIn } from "../../chains/tron/asset-ids.ts";
import { readTokenCall } from "../../chains/tron/calls/token-call.ts";
import { type Counterparty, counterpartyOf } from "../../chains/tron/counterparty.ts";
import { addressIn, hexIn, integerIn } from "../../chains/tron/message/message-value.ts";
import type { Operation } from "../../chains/tron/operation.ts";
import { tronHexOf } from "../../chains/tron/tron-address.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { ZERO_ADDRESS } from "./recognized-address.ts";
import type { AssetNames, TronAccount, TronExecution, TronNode } from "./tron-node.ts";

/**
 * The state of the chain that one operation depends on. Undefined fields do not concern the operation and were not
 * requested.
 */
export interface TronChainFacts {
  readonly owner: TronAccount | "not activated";
  readonly counterparty: TronAccount | "not activated" | undefined;
  /** Code of a contract that receives something, in hex. */
  readonly counterpartyCode: string | undefined;
  /** Code of the called contract, in hex. */
  readonly code: string | "no contract" | undefined;
  readonly execution: TronExecution | undefined;
  /** The owner's balance of the called token. Undefined when the token returns none. */
  readonly tokenBalance: bigint | undefined;
  /** Names of every TRC-10 that the operation refers to. */
  readonly assets: readonly AssetNames[];
  /** Ids in the operation that no TRC-10 has. */
  readonly missingAssets: readonly bigint[];
}

/**
 * Asks a node for the state that an operation depends on, in parallel. One failed answer fails the whole call, because
 * a verdict must not rest on half of the facts.
 */
export async function askChain(node: TronNode, operation: Operation): Promise<Result<TronChainFacts>> {
  const { owner, type, value } = operation;
  const counterparty = counterpartyOf(operation);
  const asksCounterparty =
    counterparty !== undefined &&
    counterparty.role !== "contract" &&
    counterparty.address !== owner &&
    counterparty.address !== ZERO_ADDRESS;
  const contract = type === "TriggerSmartContract" ? addressIn(value, "contract_address") : undefined;
  const ids = assetIdsIn(operation);
  const own = node.account(owner);
  const other = asksCounterparty ? node.account(counterparty.address) : Promise.resolve(nothing);
  const [ownState, otherState, otherCode, code, execution, tokenBalance, assets] = await Promise.all([
    own,
    other,
    asksCounterparty ? codeOfContract(node, counterparty, other) : nothing,
    contract === undefined ? nothing : node.code(contract),
    contract === undefined ? nothing : node.execute(callOf(operation, contract)),
    contract === undefined ? nothing : balanceOf(node, operation, contract),
    assetsOf(node, ids),
  ]);
  if (!ownState.ok) return ownState;
  if (!otherState.ok) return otherState;
  if (!otherCode.ok) return otherCode;
  if (!code.ok) return code;
  if (!execution.ok) return execution;
  if (!tokenBalance.ok) return tokenBalance;
  if (!assets.ok) return assets;
  return ok({
    owner: ownState.value ?? "not activated",
    counterparty: asksCounterparty ? (otherState.value ?? "not activated") : undefined,
    counterpartyCode: otherCode.value,
    code: contract === undefined ? undefined : (code.value ?? "no contract"),
    execution: execution.value,
    tokenBalance: tokenBalance.value,
    assets: assets.value,
    missingAssets: ids.filter((id) => !assets.value.some((asset) => asset.id === id)),
  });
}

const nothing = ok(undefined);

async function assetsOf(node: TronNode, ids: readonly bigint[]): Promise<Result<readonly AssetNames[]>> {
  const assets: AssetNames[] = [];
  for (const asked of await Promise.all(ids.map((id) => node.asset(id)))) {
    if (!asked.ok) return asked;
    if (asked.value !== undefined) assets.push(asked.value);
  }
  return ok(assets);
}

/** The code of a contract shows what it does with a payment. A wallet has no code to ask for. */
async function codeOfContract(
  node: TronNode,
  { role, address }: Counterparty,
  state: Promise<Result<TronAccount | undefined>>,
): Promise<Result<string | undefined>> {
  const account = await state;
  const isSentTo = role === "recipient" || role === "beneficiary";
  return isSentTo && account.ok && account.value?.isContract === true ? node.code(address) : nothing;
}

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

/** The balance is read for approvals only, because nothing else is compared with it. */
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
