import { success } from "../../api/envelope.ts";
import { failures } from "../../api/failures.ts";
import { pathText } from "../../api/requests/request.ts";
import { shortName } from "../../api/requests/short-name.ts";
import type {
  TransactionSecurityRequest,
  TransactionSecurityResponse,
} from "../../api/schemas/transaction-security.ts";
import { addressesIn } from "../../api/schemas/tron-fields.ts";
import { parseAddress } from "../../chains/address.ts";
import { readEnvelope } from "../../chains/tron/message/raw-data.ts";
import { decodeOperation, namesBy, type Undecoded } from "../../chains/tron/operation.ts";
import { type Answer, answer, refuse } from "../answer.ts";
import type { LabelBook } from "../labels/label-book.ts";
import { askChain } from "./chain-facts.ts";
import { gather } from "./gather.ts";
import { judge } from "./judge.ts";
import { notAnalysed } from "./not-analysed.ts";
import { render } from "./render.ts";
import type { TronNode } from "./tron-node.ts";

const contractPath = ["tron_transactions", 0, "raw_data", "contract", 0] as const;
/** Addresses that the interface lets a request leave out, although no node accepts the operation then. */
const mayBeAbsent: ReadonlySet<string> = new Set(["contract_address"]);

const valuePath = [...contractPath, "parameter", "value"] as const;

/**
 * Analyses the first operation of one unsigned transaction. The sources are the operation itself and, if `simulate` is
 * set, a node. Types outside the protocol and unsupported types are refused. When the node fails, the log reports it,
 * and only a BLOCK is answered. Source: docs/decisions/0009-tron.md.
 */
export async function analyseTransaction(
  request: TransactionSecurityRequest,
  labels: LabelBook,
  node?: TronNode,
): Promise<Answer<TransactionSecurityResponse>> {
  const [transaction] = request.tron_transactions;
  const contract = transaction?.raw_data.contract[0];
  if (transaction === undefined || contract === undefined) return refuse("invalidRequest", "exactly 1 transaction");
  const { type, parameter } = contract;
  const valid = new Set<string>();
  for (const { path, text } of addressesIn(parameter.value)) {
    if (valid.has(text)) continue;
    const parsed = parseAddress("tron", text);
    if (!parsed.ok) return refuse("invalidAddress", `${pathText([...valuePath, ...path])}: ${parsed.detail}`);
    valid.add(text);
  }
  const envelope = readEnvelope(transaction.raw_data, contract);
  if (!envelope.ok) return refuse("invalidRequest", `tron_transactions[0].${envelope.detail}`);
  const decoded = decodeOperation(type, parameter.value, namesBy(transaction.visible), mayBeAbsent);
  if (!decoded.ok) return refuse("invalidRequest", whyRefused(decoded));
  const { operation } = decoded;
  const chain = node === undefined || !request.simulate ? undefined : await askChain(node, operation);
  const known = chain?.ok === true ? chain.value : undefined;
  const facts = gather(request, transaction, contract, envelope.value, operation, labels, known);
  const security = render(judge(facts));
  if (chain?.ok === false && security.recommended_action !== "BLOCK")
    return refuse("internal", failures.internal.status);
  const skipped = notAnalysed(facts, request.simulate);
  return answer(
    success({ security: { ...security, ...(skipped.length === 0 ? {} : { not_analysed: [...skipped] }) } }),
  );
}

function whyRefused(undecoded: Undecoded): string {
  if (undecoded.why === "malformed") return `${pathText(valuePath)}.${undecoded.detail}`;
  return `${pathText(contractPath)}.type: unsupported operation ${shortName(undecoded.type)}`;
}
