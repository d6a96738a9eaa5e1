import type { TronFacts } from "../facts.ts";
import type { RecognizedAddress } from "../recognized-address.ts";

/** An address that an operation gives something to, with its role. */
interface DealtWith {
  readonly as: string;
  readonly known: RecognizedAddress;
}

/** Lists the address that gains by an operation, and the keys that the operation adds to the account's permissions. */
export function dealtWith({ counterparty, foreignKeys }: TronFacts): readonly DealtWith[] {
  const gaining = counterparty === undefined ? [] : [{ as: counterparty.role, known: counterparty }];
  return [...gaining, ...foreignKeys.map((known) => ({ as: "key", known }))];
}
