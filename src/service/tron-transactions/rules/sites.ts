import { tokenNameSkeleton } from "../../labels/token-name.ts";
import type { TronRule } from "./rule.ts";

/** The site is labelled with a high risk: 4 or 5. */
export const maliciousSite: TronRule = ({ site }) =>
  site !== undefined && site.riskLevel >= 4 ? `${site.host} is labelled with risk level ${site.riskLevel}` : undefined;

/** The site is labelled with an increasing risk: 2 or 3. */
export const suspiciousSite: TronRule = ({ site }) =>
  site?.riskLevel === 2 || site?.riskLevel === 3
    ? `${site.host} is labelled with risk level ${site.riskLevel}`
    : undefined;

/** Top-level domains that advertisements use. Chosen: the common ones, without any that is also a file extension. */
const endings =
  "com|net|org|io|co|cc|me|xyz|top|vip|pro|app|dev|site|online|finance|fund|club|info|live|shop|link|fun|win|tech";
const links = [
  /h(tt|xx)ps?:/i,
  /\bwww\./i,
  /\b(t|telegram|wa)\.me\b/i,
  // Mail addresses do not count as links, because users write them into memos for receipts.
  new RegExp(`(?<![\\p{L}\\p{N}@.-])[\\p{L}\\p{N}][\\p{L}\\p{N}.-]*\\.(${endings})(?![\\p{L}\\p{N}@-])`, "iu"),
];

/**
 * T13: a user that signs an advertisement signs a transaction made by a web site. The memo is compared as it is
 * displayed.
 */
export const memoWithLink: TronRule = ({ memo }) => {
  const text = asDrawn(memo);
  return links.some((link) => link.test(text)) ? "the memo holds a link to a web site" : undefined;
};

const notDrawn = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/**
 * The scripts with letters that look like Latin ones. ASCII letters and digits stay, because a skeleton would turn
 * v1.10 into vi.io.
 */
const drawnAlike =
  /(?![a-z])[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/giu;

/**
 * The memo as it is displayed. Invisible characters are removed. Wide letters, wide dots and lookalike letters of other
 * scripts become ASCII.
 */
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

/** The ASCII letter that a letter looks like, or the letter itself. The skeleton spells "m" as "rn" and "w" as "vv". */
function latinOf(letter: string): string {
  const drawn = tokenNameSkeleton(letter).replace("rn", "m").replace("vv", "w");
  return /^[a-z]$/.test(drawn) ? drawn : letter;
}
