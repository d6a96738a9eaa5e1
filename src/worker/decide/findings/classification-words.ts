/** Labels that name no class, in lower case and without punctuation. Each counts as a missing label. */
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
 * Words with which vendors accuse an address, each as a whole word. Source: public label sets of Etherscan, GoPlus and
 * others, such as `Phish / Hack`, `Exploiter`, `blacklist_doubt`, `money_laundering`.
 */
const ACCUSES = [
  "scam(?:mers?|ming|s)?",
  "phish(?:ing|ers?)?",
  "malicious",
  "malware",
  "fraud(?:s|ulent|sters?)?",
  "hack(?:s|ers?|ed|ing)?",
  "heists?",
  "exploit(?:s|ers?|ed)?",
  "drainers?",
  "stolen",
  "thefts?",
  "thie(?:f|ves)",
  "sanction(?:ed|s)?",
  "ofac",
  "black ?list(?:ed| doubt)?",
  "blocked",
  "honey ?pots?",
  "ransomware",
  "ponzis?",
  "pig butchering",
  "rug ?pull(?:s|ers?|ed)?",
  "money launder(?:ing|ers?)",
  "mixers?",
  "tornado ?cash",
  "poison(?:ing|ers?|ed)?",
  "impersonat(?:ion|ing|ors?|ed)",
  "suspicious",
  "illicit",
  "cybercrime",
  "terroris(?:m|ts?)",
  "dark ?web",
  "dark ?net",
  "fake",
  "dangerous",
  "high risk",
].join("|");
/** A word directly before the accusation negates it: `Not Malicious`, `Anti-Phishing`, `Not a Scam`. */
const DENIED = "(?:no|not|non|anti|never|without)(?: (?:an?|any|on|in|known|longer))?";
/** One negation covers all accusing words that follow it directly, as in `Not a phishing scam`. */
const DENIES = new RegExp(`\\b${DENIED}(?: (?:${ACCUSES})\\b)+`, "g");
const ACCUSING = new RegExp(`\\b(?:${ACCUSES})\\b`);

/** Whether a label of the service names no class. */
export function isNoClass(label: string): boolean {
  return none.has(plain(label));
}

/** Whether a label of the service accuses the address. */
export function isAccusing(label: string): boolean {
  return ACCUSING.test(plain(label).replaceAll(DENIES, ""));
}

/** Reads `moneyLaundering` and `MONEY_LAUNDERING` as `money laundering`. */
function plain(label: string): string {
  return label
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
