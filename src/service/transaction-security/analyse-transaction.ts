import { parseAddress } from "../../chains/address.ts";
import { pathText } from "../../contract/request.ts";
import type { TransactionSecurityRequest, TransactionSecurityResponse } from "../../contract/transaction-security.ts";
import { addressesIn } from "../../contract/tron-fields.ts";
import { type Answer, refuse } from "../answer.ts";
import { unsupported } from "../subject.ts";

const valuePath = ["tron_transactions", 0, "raw_data", "contract", 0, "parameter", "value"] as const;

/** Checks every address of the first operation. There is no TRON analysis yet, so the chain is then unsupported. */
export function analyseTransaction(request: TransactionSecurityRequest): Answer<TransactionSecurityResponse> {
  const value = request.tron_transactions[0]?.raw_data.contract[0]?.parameter.value;
  for (const { path, text } of addressesIn(value)) {
    const parsed = parseAddress("tron", text);
    if (!parsed.ok) return refuse("invalidAddress", `${pathText([...valuePath, ...path])}: ${parsed.detail}`);
  }
  return unsupported("tron");
}
