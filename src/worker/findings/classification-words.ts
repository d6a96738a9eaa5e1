/** Labels of no class, in lower case and without signs. Each is as good as none. */
const none: ReadonlySet<string> = new Set(
  [
    "unverified",
    "not verified",
    "unknown",
    "unclassified",
    "not classified",
    "undetermined",
    "none",
    "n a",
    "null",
  ].concat(["undefined", "other", ""]),
);

/**
 * Words by which vendors accuse an address, each as a whole word. Source: public label sets of Etherscan, GoPlus and others,
 * such as `Phish / Hack`, `Exploiter`, `blacklist_doubt`, `money_laundering`.
 */
const ACCUSES = new RegExp(
  `\\b(?:${[
    "scam(?:mer|ming)?s?",
    "phish(?:ing|er)?",
    "malicious",
    "fraud(?:ulent|ster)?",
    "hack(?:er|ed)?",
    "exploit(?:er|ed)?",
    "drainer",
    "stolen",
    "theft",
    "thief",
    "sanction(?:ed|s)?",
    "blacklist(?:ed| doubt)",
    "honeypot",
    "ransomware",
    "ponzi",
    "rug ?pull",
    "money laundering",
    "cybercrime",
    "terroris[mt]",
    "darkweb",
    "darknet",
    "fake",
    "dangerous",
    "high risk",
  ].join("|")})\\b`,
);
/** A word before it that turns the accusation round: `Not Malicious`, `Anti-Phishing`. */
const DENIED = /\b(?:no|not|non|anti|never|without)\b/;

/** Whether a label of the service tells of no class. */
export function isNoClass(label: string): boolean {
  return none.has(plain(label));
}

/** Whether a label of the service accuses the address. */
export function isAccusing(label: string): boolean {
  const words = plain(label);
  return ACCUSES.test(words) && !DENIED.test(words);
}

/** `moneyLaundering` and `MONEY_LAUNDERING` as `money laundering`. */
function plain(label: string): string {
  return label
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
