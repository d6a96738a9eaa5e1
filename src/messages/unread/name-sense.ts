import { editDistance } from "../../api/requests/edit-distance.ts";
import { foldedName } from "../../api/requests/misnamed-field.ts";
import { addBounded } from "../../kernel/collections.ts";

/** The meaning of a field's name for addresses in the field. */
export interface NameSense {
  /** Whether the name refers to parties, to directions of money, or to addresses. */
  readonly isTelling: boolean;
  /** The field of an event that should hold the addresses. */
  readonly meant: "users" | "token";
}

/** Parts of words that count at any position: `knownrecipients`. */
const partyParts = [
  ...["wallet", "user", "customer", "client", "counterpart", "recipient", "sender", "payee", "beneficiar"],
  ...["contact", "known", "paid", "trusted", "friend", "history"],
  ...["receiver", "destination", "account", "owner", "payer", "originator", "spender", "depositor"],
];
/** Words that count only as a whole. Each is part of other words, as `to` in `token` and `source` in `resource`. */
const partyWords = new Set([
  // Directions.
  ...["from", "to", "source", "sources", "src", "destination", "dest", "dst", "origin", "origins", "target", "targets"],
  // Parties of a transfer.
  ...["party", "parties", "peer", "peers", "holder", "holders", "acct", "creditor", "creditors", "debtor", "debtors"],
  ...["initiator", "initiators", "signer", "signers", "authority", "caller", "delegate", "delegator", "operator"],
  ...["buyer", "buyers", "seller", "sellers", "maker", "makers", "taker", "takers", "trader", "traders"],
  ...["remitter", "remittee", "transferor", "transferee", "donor", "lender", "borrower", "merchant", "vendor"],
  ...["supplier", "employee", "member", "members", "person", "people", "deployer", "creator", "minter", "claimant"],
  ...["miner", "validator", "witness", "voter", "staker", "drawer", "drawee", "approver", "approved", "withdrawer"],
]);
/** Words that count even with one typing error. Shorter words are one typing error away from too many other words. */
const partySpellings = [
  ...["wallet", "wallets", "users", "customer", "customers", "client", "clients"],
  ...["counterparty", "counterparties", "recipient", "recipients", "sender", "senders", "payee", "payees"],
  ...["beneficiary", "beneficiaries", "contact", "contacts", "whitelist", "allowlist", "known", "trusted", "friends"],
  ...["receiver", "receivers", "destination", "destinations", "account", "accounts", "originator", "initiator"],
];
const addressSpellings = ["address", "addresses"];
const listing = /(?:white|allow)_?list/;
const token = /token|contract|^(?:assets?|coins?|currency|mint|nft)$/;
/** Words with another meaning, although they are similar to `contact` and `contacts`. */
const unrelated = new Set(["contract", "contracts"]);

/** The meaning of a name in any spelling: `From (Address)`, `paidTo`, `SENDER`, `token-contract`. */
export const senseOf: (name: string) => NameSense = addBounded((name) => {
  const folded = foldedName(name);
  const words = folded.split(/\P{L}+/u).filter((word) => word !== "");
  const isParty = listing.test(folded) || words.some(isPartyWord);
  const isTelling = isParty || words.some((word) => word.includes("addr") || isNear(word, addressSpellings));
  return { isTelling, meant: !isParty && words.some((word) => token.test(word)) ? "token" : "users" };
});

function isPartyWord(word: string): boolean {
  if (partyWords.has(word) || partyParts.some((part) => word.includes(part))) return true;
  return !unrelated.has(word) && isNear(word, partySpellings);
}

function isNear(word: string, spellings: readonly string[]): boolean {
  return spellings.some((spelling) => editDistance(word, spelling, 1) <= 1);
}

/**
 * The end of a payment that a column of an explorer's export holds: `From`, `To (Address)`. Undefined for other names.
 */
export function directionOf(name: string): "from" | "to" | undefined {
  const [, direction] = /^(from|to)\P{L}*(?:addr\p{L}*\P{L}*)?$/u.exec(foldedName(name)) ?? [];
  return direction === "from" || direction === "to" ? direction : undefined;
}
