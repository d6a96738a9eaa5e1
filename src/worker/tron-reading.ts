import type { CanonicalAddress } from "../chains/address.ts";
import { type Counterparty, callsOf, counterpartyOf } from "../chains/tron/counterparty.ts";
import { type IntegrityReport, integrityOf } from "../chains/tron/integrity.ts";
import { hexIn } from "../chains/tron/message-value.ts";
import { namedAddresses } from "../chains/tron/named-addresses.ts";
import { decodeOperation, namesBy } from "../chains/tron/operation.ts";
import { requestParser } from "../contract/request.ts";
import { TronTransaction } from "../contract/transaction-security.ts";
import { ok, type Result } from "../kernel/result.ts";

/** One unsigned TRON transaction of an event, as far as it can be understood. */
export interface TronReading {
  /** As the event brought it, number text included. */
  readonly transaction: TronTransaction;
  readonly report: IntegrityReport;
  /** Who acts and who gains by it; what keeps it from being told otherwise. */
  readonly parties: Result<{ readonly owner: CanonicalAddress; readonly counterparty: Counterparty | undefined }>;
  /** Every address that the transaction deals with, as far as it names them. */
  readonly named: readonly CanonicalAddress[];
}

const read = requestParser(TronTransaction, undefined, "");

/** Reads what an event calls a TRON transaction. @returns where it is none, and why. */
export function readTron(json: unknown): Result<TronReading> {
  const transaction = read(json);
  if (!transaction.ok) return transaction;
  return ok({
    transaction: transaction.value,
    report: integrityOf(transaction.value),
    parties: partiesOf(transaction.value),
    named: namedIn(transaction.value),
  });
}

function namedIn({ raw_data, visible }: TronTransaction): readonly CanonicalAddress[] {
  const named = raw_data.contract.flatMap(({ type, parameter: { value } }) => {
    const decoded = decodeOperation(type, value, namesBy(visible));
    if (!decoded.ok) return namedAddresses(type, value, "");
    const { operation } = decoded;
    const calls = callsOf(operation);
    const data = calls === undefined ? "" : hexIn(operation.value, "data");
    const gaining = counterpartyOf(operation, calls);
    const named = namedAddresses(type, value, data, losingBy(calls));
    return gaining === undefined ? named : [...named, gaining.address];
  });
  return [...new Set(named)];
}

/** The spender that a call takes a right back from. */
function losingBy(calls: ReturnType<typeof callsOf>): CanonicalAddress | undefined {
  if (calls?.call.is !== "token") return undefined;
  const { call } = calls.call;
  if (call.does === "reduce") return call.spender;
  if (call.does === "approve") return call.amount === 0n ? call.spender : undefined;
  return call.does === "approve_all" && !call.isGranted ? call.spender : undefined;
}

function partiesOf({ raw_data, visible }: TronTransaction): TronReading["parties"] {
  const [contract, ...further] = raw_data.contract;
  if (contract === undefined || further.length > 0) {
    return { ok: false, detail: `one operation can be decoded, the transaction has ${raw_data.contract.length}` };
  }
  const decoded = decodeOperation(contract.type, contract.parameter.value, namesBy(visible));
  if (decoded.ok) return ok({ owner: decoded.operation.owner, counterparty: counterpartyOf(decoded.operation) });
  const type = contract.type.slice(0, 60);
  const detail = decoded.why === "malformed" ? `${type}: ${decoded.detail}` : `the operation ${type} cannot be decoded`;
  return { ok: false, detail };
}
