import { parseAddress } from "../../chains/address.ts";
import type { TransactionSecurityRequest, TransactionSecurityResponse } from "../../contract/transaction-security.ts";
import { type Answer, refuse } from "../answer.ts";
import { unsupported } from "../subject.ts";

/** Checks every address of the first operation. There is no TRON analysis yet, so the chain is then unsupported. */
export function analyseTransaction(request: TransactionSecurityRequest): Answer<TransactionSecurityResponse> {
  for (const { path, address } of addressesOf(request)) {
    const parsed = parseAddress("tron", address);
    if (!parsed.ok)
      return refuse("invalidAddress", `tron_transactions[0].raw_data.contract[0].${path}: ${parsed.detail}`);
  }
  return unsupported("tron");
}

function addressesOf(request: TransactionSecurityRequest): { readonly path: string; readonly address: string }[] {
  const value = request.tron_transactions[0]?.raw_data.contract[0]?.parameter.value;
  if (value === undefined) return [];
  const found = [{ path: "parameter.value.owner_address", address: value.owner_address }];
  if (value.contract_address !== undefined) {
    found.push({ path: "parameter.value.contract_address", address: value.contract_address });
  }
  const actives = (value.actives ?? []).map((permission, i) => ({ name: `actives[${i}]`, permission }));
  const permissions = [
    { name: "owner", permission: value.owner },
    { name: "witness", permission: value.witness },
    ...actives,
  ];
  for (const { name, permission } of permissions) {
    for (const [i, key] of (permission?.keys ?? []).entries()) {
      found.push({ path: `parameter.value.${name}.keys[${i}].address`, address: key.address });
    }
  }
  return found;
}
