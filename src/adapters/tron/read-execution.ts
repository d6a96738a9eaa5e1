import { parseAddress } from "../../chains/address.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import type { TronEventLog, TronExecution } from "../../service/tron-transactions/tron-node.ts";
import { messageText, revertReason } from "./failure-reason.ts";
import { field, hexField, listField } from "./json-fields.ts";
import { readPayments } from "./read-payments.ts";

/**
 * Reads an answer of wallet/triggerconstantcontract. A failed call comes in two forms. A call that ran has `result`
 * true, and FAILED in the transaction's own `ret`. A call that did not run, or was stopped, has a `code` and no result.
 * Some codes are about the call and some are about the node. Source: java-tron, TriggerConstantContractServlet and
 * Wallet.callConstantContract.
 */
export function readExecution(json: unknown): Result<TronExecution> {
  const result = field(json, "result");
  return field(result, "result") === true ? ran(json, result) : stopped(result);
}

function ran(json: unknown, result: unknown): Result<TronExecution> {
  const transaction = field(json, "transaction");
  const [first] = listField(transaction, "ret") ?? [];
  const [constant = ""] = listField(json, "constant_result") ?? [];
  const returned = hexField({ constant }, "constant");
  if (transaction === undefined || returned === undefined) return fail("an execution without its transaction");
  const ret = field(first, "ret") ?? "SUCESS";
  const message = messageText(field(result, "message"));
  if (ret === "FAILED") {
    return ok(message.startsWith(REVERT) ? failed(revertReason(returned)) : failedBy(message));
  }
  // The protocol spells the word with one C.
  if (ret !== "SUCESS") return fail("an execution of unknown outcome");
  const logs = readLogs(listField(json, "logs"));
  const payments = readPayments(listField(json, "internal_transactions"));
  if (logs === undefined) return fail("logs that cannot be read");
  return payments === undefined
    ? fail("internal transactions that cannot be read")
    : ok({ ended: "done", returned, logs, payments });
}

const REVERT = "REVERT opcode executed";

function stopped(result: unknown): Result<TronExecution> {
  const code = field(result, "code");
  const message = messageText(field(result, "message"));
  if (code === "CONTRACT_VALIDATE_ERROR") {
    return /support constant/i.test(message) ? fail(`the node runs no calls: ${message}`) : ok(failedBy(message));
  }
  if (code === "CONTRACT_EXE_ERROR") return ok(failedBy(message));
  // An error of the virtual machine itself. Every other error is the node's problem with the request.
  if (code === "OTHER_ERROR" && /^class org\.tron\.\S*\.Program\$/.test(message)) return ok(failedBy(message));
  return fail(`not run: ${typeof code === "string" ? code.slice(0, 40) : "no result"} ${message}`.trim());
}

function failedBy(message: string): TronExecution {
  if (/OutOfTime|timeout|time out/i.test(message))
    return { ended: "unclear", reason: `it takes too long (${message})` };
  return failed(message === "" ? "the node does not say why" : message);
}

function failed(reason: string): TronExecution {
  return { ended: "failed", reason };
}

function readLogs(list: readonly unknown[] | undefined): readonly TronEventLog[] | undefined {
  const logs: TronEventLog[] = [];
  for (const item of list ?? [{}]) {
    const address = hexField(item, "address");
    const data = hexField(item, "data");
    const topics = (listField(item, "topics") ?? [{}]).map((topic) => hexField({ topic }, "topic"));
    // Logs hold the machine's 20 bytes. Some nodes put the network's byte in front.
    const contract = parseAddress("tron", address?.length === 40 ? `41${address}` : (address ?? ""));
    if (!contract.ok || data === undefined) return undefined;
    const read = topics.filter((topic) => topic !== undefined);
    if (read.length < topics.length) return undefined;
    logs.push({ contract: contract.value, topics: read, data });
  }
  return logs;
}
