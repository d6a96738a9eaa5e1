import { tokenNameSkeleton } from "../../labels/token-name.ts";
import type { TronRule } from "./rule.ts";

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

/** T13: who signs an advertisement signs what a site made for him. It is read as a reader reads it. */
export const memoWithLink: TronRule = ({ memo }) => {
  const text = asDrawn(memo);
  return links.some((link) => link.test(text)) ? "the memo holds a link to a web site" : undefined;
};

const notDrawn = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** The scripts whose letters are drawn like Latin ones. Of the letters of ASCII a skeleton would make others: v1.10 is no vi.io. */
const drawnAlike =
  /(?![a-z])[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/giu;

/** Without what is not drawn; wide letters and dots, and those of other scripts, as the Latin ones that they are drawn like. */
function asDrawn(memo: string): string {
  const known = new Map<string, string>();
  return memo
    .normalize("NFKC")
    .replace(notDrawn, "")
    .replaceAll("\u3002", ".")
    .replace(drawnAlike, (letter) => {
      const drawn = known.get(letter) ?? latinOf(letter);
      known.set(letter, drawn);
      return drawn;
    });
}

/** The letter of ASCII that another is drawn like; itself where it is like none. A skeleton has "rn" for "m", and "vv" for "w". */
function latinOf(letter: string): string {
  const drawn = tokenNameSkeleton(letter).replace("rn", "m").replace("vv", "w");
  return /^[a-z]$/.test(drawn) ? drawn : letter;
}
