import type { TronFacts } from "../facts.ts";
import type { RecognizedAddress } from "../recognized-address.ts";

/** Somebody whom an operation gives something to, and as what. */
interface DealtWith {
  readonly as: string;
  readonly known: RecognizedAddress;
}

/** Who gains by an operation, and whose keys it puts into the account's permissions. */
export function dealtWith({ counterparty, foreignKeys }: TronFacts): readonly DealtWith[] {
  const gaining = counterparty === undefined ? [] : [{ as: counterparty.role, known: counterparty }];
  return [...gaining, ...foreignKeys.map((known) => ({ as: "key", known }))];
}
