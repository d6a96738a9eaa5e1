/**
 * Beginnings of words that accuse an address in foreign lists. Chosen: the words of public lists for crimes, sanctions
 * and frozen funds. Words for business that some policies avoid, such as mixer and gambling, accuse no address by
 * themselves.
 */
const stems =
  "sanction ofac sdn terror embargo prohibit seized confiscat frozen freez banned blocked blocklist blacklist denylist " +
  "malicious malware scam phish fraud ponzi fake rug honeypot hack exploit attack stolen theft thief thiev heist drain " +
  "ransom extort blackmail illicit illegal dark[\\s_-]?net dark[\\s_-]?web dark[\\s_-]?market launder crime crimin csam poisoning " +
  "sextort traffick";

const riskStems = "high sever critical extreme danger maximum";

const accusation = atWordStart(stems);
const highRisk = atWordStart(riskStems);

/** Matches an accusing kind even with a typing error: `sanctoined`, `blackilst`. */
export const likeAccusing = /^(?:san|mal|bl)/i;

/** Whether a word of the text accuses: `Phishing`, `terrorist financing`, `wallet/scam`. */
export function saysAccusation(text: string): boolean {
  return accusation.test(text);
}

/** Whether the text names a risk level that accuses: `HIGH`, `Severe`. */
export function isHighRisk(text: string): boolean {
  return highRisk.test(text);
}

/** A word begins after any character that is no letter, and at a capital inside a word: `knownScam`. */
function atWordStart(words: string): RegExp {
  const parts = words.split(" ");
  const capitals = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return new RegExp(`(?<![A-Za-z])(?i:${parts.join("|")})|(?<=[a-z])(?:${capitals.join("|")})`);
}
