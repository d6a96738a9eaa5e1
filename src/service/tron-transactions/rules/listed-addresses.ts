import type { TronFacts } from "../facts.ts";
import type { RecognizedAddress } from "../recognized-address.ts";
import type { TronRule } from "./rule.ts";

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

/**
 * An address of the transaction is labelled as malicious, blocked or high risk. `listedAddresses` lists the roles that
 * are checked.
 */
export const maliciousAddress: TronRule = ({ listed }) => {
  const found = Map.groupBy(
    listed.filter(({ kind }) => kind === "malicious"),
    ({ label }) => label,
  );
  const texts = [...found].map(
    ([label, addresses]) =>
      `labelled as ${label}: ${addresses.map(({ address, as }) => `${address} (${as})`).join(", ")}`,
  );
  return texts.length === 0 ? undefined : texts.join("; ");
};

/** An address of the transaction is labelled as sanctioned. `listedAddresses` lists the roles that are checked. */
export const sanctionedAddress: TronRule = ({ listed }) => {
  const found = listed.filter(({ kind }) => kind === "sanctioned").map(({ address, as }) => `${address} (${as})`);
  return found.length === 0 ? undefined : `labelled as under sanctions: ${found.join(", ")}`;
};

/** T11: an address imitates the user's own, as address poisoning leaves it in the history. */
export const resemblesOwner: TronRule = (facts) => {
  const found = dealtWith(facts).find(({ known }) => known.resemblesOwner);
  return found === undefined
    ? undefined
    : `the ${found.as} ${found.known.address} looks like your own ${facts.operation.owner} and is another`;
};

/** T11: an address looks like the address of an exchange, a bridge, a protocol or a token. */
export const resemblesLabel: TronRule = (facts) => {
  for (const { as, known } of dealtWith(facts)) {
    const { address, imitated } = known;
    if (imitated !== undefined)
      return `the ${as} ${address} looks like ${imitated.name} (${imitated.address}) and is another`;
  }
  return undefined;
};

/**
 * A service keeps a direct payment, or handles it by its own rules. Paying a bridge directly is usual, and paying a
 * router is a mistake.
 */
export const paidToService: TronRule = ({ counterparty }) =>
  counterparty?.isLabelledService === true && (counterparty.role === "recipient" || counterparty.role === "beneficiary")
    ? `the ${counterparty.role} is the labelled service ${counterparty.address}, and not a person`
    : undefined;
