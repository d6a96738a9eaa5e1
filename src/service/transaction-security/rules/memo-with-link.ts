import type { Finds } from "./rule.ts";

/** Endings that advertisements use. Chosen: the common ones, and none that a file's name may end with. */
const endings =
  "com|net|org|io|co|cc|me|xyz|top|vip|pro|app|dev|site|online|finance|fund|club|info|live|shop|link|fun|win|tech";
const links = [
  /h(tt|xx)ps?:/i,
  /\bwww\./i,
  /\b(t|telegram|wa)\.me\b/i,
  // Not of a mail address, which people write down for a receipt.
  new RegExp(`(?<![\\p{L}\\p{N}@.-])[\\p{L}\\p{N}][\\p{L}\\p{N}.-]*\\.(${endings})(?![\\p{L}\\p{N}@-])`, "iu"),
];

/** T13: who signs an advertisement signs what a site made for him. Wide letters and dots are read as a reader reads them. */
export const memoWithLink: Finds = ({ memo }) => {
  const text = memo.normalize("NFKC");
  return links.some((link) => link.test(text)) ? "the memo holds a link to a web site" : undefined;
};
