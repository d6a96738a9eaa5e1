import type { CanonicalAddress } from "../../chains/address.ts";
import { tronHexOf } from "../../chains/tron/tron-address.ts";
import { exactInteger } from "../../kernel/json.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import type {
  AssetNames,
  TronAccount,
  TronContractCall,
  TronExecution,
  TronNode,
} from "../../service/tron-transactions/tron-node.ts";
import type { AskNodes } from "./ask-nodes.ts";
import { messageText } from "./failure-reason.ts";
import { field, hexField, isEmpty } from "./json-fields.ts";
import { readAccount } from "./read-account.ts";
import { readAsset } from "./read-asset.ts";
import { readExecution } from "./read-execution.ts";

/**
 * A node by its HTTP interface. Addresses are hex in both directions: with `visible` a node would write the 20 bytes of
 * a log's contract in a Base58 that is no address. `data` in place of a function's name needs java-tron 4.7 or later.
 */
export class TronHttpNode implements TronNode {
  readonly #askNodes: AskNodes;

  constructor(askNodes: AskNodes) {
    this.#askNodes = askNodes;
  }

  account(address: CanonicalAddress): Promise<Result<TronAccount | undefined>> {
    return this.#ask("/wallet/getaccount", { address: tronHexOf(address) }, (json) => readAccount(json, address));
  }

  /** Requests the contract first: a node answers a request for the code of a non-contract with an error. */
  async code(contract: CanonicalAddress): Promise<Result<string | undefined>> {
    const value = tronHexOf(contract);
    const found = await this.#ask("/wallet/getcontract", { value }, (json) => readContract(json, value));
    if (!found.ok || !found.value) return found.ok ? ok(undefined) : found;
    return this.#ask("/wallet/getcontractinfo", { value }, (json) => readCode(json, value));
  }

  /** A node expects the id as text, although its digits are a number. */
  asset(id: bigint): Promise<Result<AssetNames | undefined>> {
    return this.#ask("/wallet/getassetissuebyid", { value: String(id) }, (json) => readAsset(json, id));
  }

  execute({ owner, contract, data, valueSun, tokenValue, tokenId }: TronContractCall): Promise<Result<TronExecution>> {
    const request = {
      owner_address: tronHexOf(owner),
      contract_address: tronHexOf(contract),
      data,
      call_value: exactInteger(valueSun),
      call_token_value: exactInteger(tokenValue),
      token_id: exactInteger(tokenId),
    };
    return this.#ask("/wallet/triggerconstantcontract", request, readExecution);
  }

  /** An internal error of a node comes with status 200 and a member `Error`. */
  #ask<T>(path: string, body: unknown, read: (json: unknown) => Result<T>): Promise<Result<T>> {
    return this.#askNodes(path, body, (json) => {
      const error = field(json, "Error");
      return error === undefined ? read(json) : fail(`the node fails: ${messageText(error)}`);
    });
  }
}

/** Whether the contract exists: the answer is `{}` where it does not. */
function readContract(json: unknown, asked: string): Result<boolean> {
  if (isEmpty(json)) return ok(false);
  return hexField(json, "contract_address") === asked
    ? ok(true)
    : fail("the contract at another address than was asked for");
}

/** The code of the requested contract, which may be empty. */
function readCode(json: unknown, asked: string): Result<string> {
  const code = hexField(json, "runtimecode");
  const isAsked = hexField(field(json, "smart_contract"), "contract_address") === asked;
  return code === undefined || !isAsked ? fail("no code that can be read") : ok(code);
}
