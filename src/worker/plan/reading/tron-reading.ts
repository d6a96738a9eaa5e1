import { requestParser } from "../../../api/requests/request.ts";
import { TronTransaction } from "../../../api/schemas/transaction-security.ts";
import type { CanonicalAddress } from "../../../chains/address.ts";
import type { Payment } from "../../../chains/payment-mistakes.ts";
import type { ReadCalls } from "../../../chains/tron/calls/calls-read.ts";
import { losingBy, packedData } from "../../../chains/tron/calls/packed-data.ts";
import { isExplained } from "../../../chains/tron/calls/proceeds.ts";
import { type Counterparty, callsOf, counterpartyOf } from "../../../chains/tron/counterparty.ts";
import { type IntegrityReport, integrityOf } from "../../../chains/tron/message/integrity.ts";
import { addressIn, hexIn } from "../../../chains/tron/message/message-value.ts";
import { namedAddresses } from "../../../chains/tron/named-addresses.ts";
import { type Decoded, decodeOperation, namesBy } from "../../../chains/tron/operation.ts";
import { paymentsOf } from "../../../chains/tron/payments.ts";
import { ok, type Result } from "../../../kernel/result.ts";
import type { PackedListing } from "../../checks/listed-entry.ts";
import type { SoleOperation } from "../../decide/tron-judge/own-parties.ts";
import { embeddedAddresses } from "./embedded-addresses.ts";

/** A called contract, and what the call data says. */
export interface TronCall {
  readonly contract: CanonicalAddress;
  readonly selector: string;
  /** Whether every called function is known and has matching arguments. */
  readonly isExplained: boolean;
}

/** One unsigned TRON transaction of an event, as far as it can be decoded. */
export interface TronReading {
  /** As in the event, with the original number texts. */
  readonly transaction: TronTransaction;
  readonly report: IntegrityReport;
  /** The owner and the counterparty of the transaction, or the reason why they cannot be determined. */
  readonly parties: Result<{ readonly owner: CanonicalAddress; readonly counterparty: Counterparty | undefined }>;
  /** Every address that the transaction names. */
  readonly named: readonly CanonicalAddress[];
  /** Call data, and code that becomes a contract. */
  readonly packed: readonly PackedListing[];
  readonly payments: readonly Payment[];
  readonly calls: readonly TronCall[];
  /** The operation, if it is the only one and can be decoded. */
  readonly sole: SoleOperation | undefined;
}

/** One operation, decoded once for all uses. */
interface ReadOperation {
  readonly type: string;
  readonly payload: unknown;
  readonly decoded: Decoded;
  readonly calls: ReadCalls | undefined;
}

const read = requestParser(TronTransaction, undefined, "");

/**
 * Reads an event's TRON transaction.
 *
 * @returns the reason when the value is no TRON transaction.
 */
export function readTron(json: unknown): Result<TronReading> {
  const transaction = read(json);
  if (!transaction.ok) return transaction;
  const operations = operationsOf(transaction.value);
  return ok({
    transaction: transaction.value,
    report: integrityOf(transaction.value),
    parties: partiesOf(operations),
    named: [...new Set([...operations.flatMap(namedIn), ...besideIn(transaction.value)])],
    packed: operations.flatMap(packedIn),
    payments: operations.flatMap(({ decoded, calls }) => (decoded.ok ? [...paymentsOf(decoded.operation, calls)] : [])),
    calls: operations.flatMap(callIn),
    sole: soleOf(operations, transaction.value),
  });
}

function operationsOf({ raw_data, visible }: TronTransaction): readonly ReadOperation[] {
  return raw_data.contract.map(({ type, parameter: { value: payload } }) => {
    const decoded = decodeOperation(type, payload, namesBy(visible));
    return { type, payload, decoded, calls: decoded.ok ? callsOf(decoded.operation) : undefined };
  });
}

/** Addresses outside the payloads, for example in `auths`. */
function besideIn({ raw_data, ...others }: TronTransaction): readonly CanonicalAddress[] {
  const contract = raw_data.contract.map(({ parameter: _payload, ...rest }) => rest);
  return embeddedAddresses("tron", [others, { ...raw_data, contract }]);
}

function namedIn({ type, payload, decoded, calls }: ReadOperation): readonly CanonicalAddress[] {
  if (!decoded.ok) return namedAddresses(type, payload, "");
  const { operation } = decoded;
  const data = calls === undefined ? "" : hexIn(operation.value, "data");
  const gaining = counterpartyOf(operation, calls);
  const named = namedAddresses(type, payload, data, losingBy(calls));
  return gaining === undefined ? named : [...named, gaining.address];
}

function packedIn({ decoded, calls }: ReadOperation): readonly PackedListing[] {
  return decoded.ok ? [packedData(decoded.operation, calls) ?? []].flat() : [];
}

function callIn({ decoded, calls }: ReadOperation): readonly TronCall[] {
  if (!decoded.ok || calls === undefined) return [];
  const { value } = decoded.operation;
  const contract = addressIn(value, "contract_address");
  if (contract === undefined) return [];
  return [{ contract, selector: hexIn(value, "data").slice(0, 8), isExplained: isExplained(calls) }];
}

function soleOf([operation, ...further]: readonly ReadOperation[], { raw_data }: TronTransaction) {
  if (operation === undefined || further.length > 0 || !operation.decoded.ok) return undefined;
  const typeUrl = raw_data.contract[0]?.parameter.type_url;
  const typeDiffers = typeUrl !== undefined && typeUrl !== "" && !typeUrl.endsWith(`.${operation.type}`);
  return { operation: operation.decoded.operation, calls: operation.calls, typeDiffers };
}

function partiesOf([operation, ...further]: readonly ReadOperation[]): TronReading["parties"] {
  if (operation === undefined || further.length > 0) {
    const count = operation === undefined ? 0 : 1 + further.length;
    return { ok: false, detail: `one operation can be decoded, the transaction has ${count}` };
  }
  const { decoded, calls } = operation;
  if (decoded.ok) return ok({ owner: decoded.operation.owner, counterparty: counterpartyOf(decoded.operation, calls) });
  const type = operation.type.slice(0, 60);
  const detail = decoded.why === "malformed" ? `${type}: ${decoded.detail}` : `the operation ${type} cannot be decoded`;
  return { ok: false, detail };
}
