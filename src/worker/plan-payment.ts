import type { Chain } from "../chains/chain.ts";
import { paymentMistakesIn } from "../chains/evm/payment-mistakes.ts";
import type { Check } from "../events/checks.ts";
import type { TransactionEvent } from "../events/event.ts";
import type { PaymentEvidence } from "../events/evidence.ts";
import type { CheckEntry } from "../events/verdict.ts";
import type { Result } from "../kernel/result.ts";
import type { AddressBook } from "../labels/address-book.ts";
import { answeredHere, failed } from "./check-entry.ts";
import type { EvmEventReading } from "./evm-reading.ts";
import { knownContracts } from "./known-contracts.ts";

/** The check `payment` of an EVM transaction: an entry where a mistake is found, or where the check is required by name. */
export function paymentEntry(
  required: readonly Check[],
  event: TransactionEvent,
  chain: Chain,
  reading: Result<EvmEventReading>,
  book: AddressBook,
): readonly CheckEntry[] {
  const isRequired = required.includes("payment");
  if (!reading.ok) return isRequired ? [failed("payment", "EVENT_MALFORMED", `transaction: ${reading.detail}`)] : [];
  const mistakes = paymentMistakesIn(reading.value.does, knownContracts(event, chain, reading.value, book));
  if (mistakes.length === 0 && !isRequired) return [];
  return [answeredHere("payment", { mistakes: mistakes.map((each) => ({ ...each })) } satisfies PaymentEvidence)];
}
