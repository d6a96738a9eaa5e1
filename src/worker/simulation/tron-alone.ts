import type { TronTransaction } from "../../api/schemas/transaction-security.ts";
import type { EvidenceOf } from "../../messages/evidence.ts";
import { ItemFailedError } from "../answers/service-errors.ts";
import { type AloneDeps, askAlone } from "./alone.ts";
import type { SimulationRequester } from "./ports.ts";

/** One unsigned TRON transaction, with the application that made it where that is known. */
export interface TronQuestion {
  /** As the event brought it, number text included: it is sent unchanged. */
  readonly transaction: TronTransaction;
  readonly dappUrl: string | undefined;
}

/**
 * Asks about one transaction in a request of its own, which is all that the interface takes. Its answer echoes
 * nothing, so there is no identity to check.
 *
 * @throws {ItemFailedError} for more than one operation: the service would analyse the first one only, and its ALLOW
 * would stand for the others. @throws {AnswerInvalidError} for an error beside the data, and whatever the service throws.
 */
export async function askTron(
  { transaction, dappUrl }: TronQuestion,
  { service, slots }: AloneDeps,
  asker: SimulationRequester,
): Promise<EvidenceOf<"tron-security">> {
  const operations = transaction.raw_data.contract.length;
  if (operations !== 1) throw new ItemFailedError(`one operation can be analysed, the transaction has ${operations}`);
  const request = {
    tron_transactions: [transaction],
    simulate: true,
    ...(dappUrl === undefined ? {} : { dapp_url: dappUrl }),
  };
  return askAlone((signal) => service.ask("transactionSecurity", request, signal), asker, slots);
}
