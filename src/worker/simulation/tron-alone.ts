import type { TronTransaction } from "../../api/schemas/transaction-security.ts";
import type { EvidenceOf } from "../../messages/evidence.ts";
import { ItemFailedError } from "../answers/service-errors.ts";
import { type AloneDeps, askAlone } from "./alone.ts";
import type { SimulationRequester } from "./ports.ts";

/** One unsigned TRON transaction, with the application that made it if known. */
export interface TronQuestion {
  /** As in the event, with the original number texts. It is sent unchanged. */
  readonly transaction: TronTransaction;
  readonly dappUrl: string | undefined;
}

/**
 * Asks about one transaction in a request of its own, because the interface takes only one. The answer echoes nothing,
 * so its identity cannot be checked.
 *
 * @throws {ItemFailedError} for more than one operation. The service would analyse only the first operation, and its
 * ALLOW would cover the others.
 * @throws {AnswerInvalidError} for an error beside the data.
 * @throws the error of the service.
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
