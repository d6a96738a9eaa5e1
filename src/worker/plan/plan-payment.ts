import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import { paymentsIn } from "../../chains/evm/payments.ts";
import { type DetectedMistake, paymentMistakesIn } from "../../chains/payment-mistakes.ts";
import type { Result } from "../../kernel/result.ts";
import type { AddressBook } from "../../labels/address-book.ts";
import type { Check } from "../../messages/checks.ts";
import type { TransactionEvent } from "../../messages/event.ts";
import type { PaymentEvidence } from "../../messages/evidence.ts";
import type { CheckEntry } from "../../messages/verdict.ts";
import { answeredHere, failed } from "../answers/check-entry.ts";
import type { EvmEventReading } from "./reading/evm-reading.ts";
import { namedUsers } from "./reading/named-users.ts";
import { labelledContracts, recognizedContracts } from "./reading/recognized-contracts.ts";
import type { TronReading } from "./reading/tron-reading.ts";

/**
 * The check `payment` of an EVM transaction. It has an entry if a mistake is found, or if the check is required by
 * name.
 */
export function evmPayment(
  required: readonly Check[],
  { user_addresses: texts = [] }: TransactionEvent,
  chain: Chain,
  reading: Result<EvmEventReading>,
  book: AddressBook,
): readonly CheckEntry[] {
  return paymentEntry(required, reading, ({ does, transaction: { from } }) => {
    const own = new Set([from, ...namedUsers(texts, chain).users]);
    const known = { ...recognizedContracts(chain, from, book), isOwn: (address: CanonicalAddress) => own.has(address) };
    return paymentMistakesIn("evm", paymentsIn(does), known);
  });
}

/** The check `payment` of a TRON transaction, as `evmPayment`. */
export function tronPayment(
  required: readonly Check[],
  chain: Chain,
  reading: Result<TronReading>,
  book: AddressBook,
): readonly CheckEntry[] {
  return paymentEntry(required, reading, ({ payments }) =>
    paymentMistakesIn("tron", payments, labelledContracts(chain, book)),
  );
}

/**
 * The check `payment` of an event about one address, which counts as the recipient. The check is required by name. Any
 * token or coin that is sent to a token contract is lost.
 */
export function addressPayment(
  to: CanonicalAddress,
  token: Result<CanonicalAddress> | undefined,
  chain: Chain,
  book: AddressBook,
): CheckEntry {
  const payment = { to, runs: "nothing", ...(token?.ok ? { token: token.value } : {}) } as const;
  const mistakes = paymentMistakesIn(chain.family, [payment], labelledContracts(chain, book));
  return answeredHere("payment", evidenceOf(mistakes));
}

function paymentEntry<Reading>(
  required: readonly Check[],
  reading: Result<Reading>,
  mistakesIn: (reading: Reading) => readonly DetectedMistake[],
): readonly CheckEntry[] {
  const isRequired = required.includes("payment");
  if (!reading.ok) return isRequired ? [failed("payment", "EVENT_MALFORMED", `transaction: ${reading.detail}`)] : [];
  const mistakes = mistakesIn(reading.value);
  if (mistakes.length === 0 && !isRequired) return [];
  return [answeredHere("payment", evidenceOf(mistakes))];
}

function evidenceOf(mistakes: readonly DetectedMistake[]): PaymentEvidence {
  return { mistakes: mistakes.map((each) => ({ ...each })) };
}
