import { parseAddress } from "../../chains/address.ts";
import { readInteger } from "../../chains/tron/message/field-integer.ts";
import type { CoinPayment } from "../../service/tron-transactions/tron-node.ts";
import { field, hexField, listField } from "./json-fields.ts";

/**
 * Reads the internal transactions of an execution that pay coins. Payments of TRC-10 and reverted payments are skipped.
 * Source: tronprotocol/protocol, core/Tron.proto, InternalTransaction.
 *
 * @returns undefined for unreadable transactions.
 */
export function readPayments(list: readonly unknown[] | undefined): readonly CoinPayment[] | undefined {
  if (list === undefined) return undefined;
  const payments: CoinPayment[] = [];
  for (const item of list) {
    const sun = coinsIn(listField(item, "callValueInfo"));
    if (sun === undefined) return undefined;
    if (sun === 0n || field(item, "rejected") === true) continue;
    const [from, to] = [addressAt(item, "caller_address"), addressAt(item, "transferTo_address")];
    if (from === undefined || to === undefined) return undefined;
    payments.push({ from, to, sun });
  }
  return payments;
}

function coinsIn(values: readonly unknown[] | undefined): bigint | undefined {
  if (values === undefined) return undefined;
  let sum = 0n;
  for (const each of values) {
    const sun = readInteger(field(each, "callValue") ?? 0, 64);
    if (!sun.ok || sun.value < 0n) return undefined;
    const tokenId = field(each, "tokenId") ?? "";
    if (tokenId === "") sum += sun.value;
  }
  return sum;
}

function addressAt(item: unknown, name: string) {
  const address = parseAddress("tron", hexField(item, name) ?? "");
  return address.ok ? address.value : undefined;
}
