import { type MessageValue, textIn } from "../../../chains/tron/message/message-value.ts";
import { tokenNameSkeleton } from "../../labels/token-name.ts";
import type { TronFacts } from "../facts.ts";
import type { RecognizedAddress } from "../recognized-address.ts";
import type { TronRule } from "./rule.ts";

/** Names that no genuine TRC-10 has: the native coin, and dollar tokens that are contracts. */
const wellKnownNames = [
  "TRX",
  "TRON",
  "Tronix",
  "USDT",
  "Tether",
  "Tether USD",
  "USDC",
  "USD Coin",
  "USDD",
  "TUSD",
  "TrueUSD",
];

/** Words that counterfeiters put around a name, and that are no name by themselves. */
const decorations = [
  "TRC",
  "TRC10",
  "TRC20",
  "token",
  "coin",
  "official",
  "stablecoin",
  "stable",
  "native",
  "mainnet",
  "network",
  "USD",
  "US",
  "dollar",
  "airdrop",
  "bonus",
  "claim",
  "free",
  "gift",
  "reward",
  "rewards",
  "www",
  "com",
  "org",
  "net",
  "io",
];

/**
 * True when a name reads like the coin or a dollar token, in whatever spelling, spacing and decoration. Also true for
 * several such names in a row, as in `TRON(TRX)`.
 */
export function calledLikeMoney(name: string): boolean {
  return spellingsOf(name).some((spelling) => {
    const words = wordsOf(spelling);
    // "USD Coin" without its decorations is empty, so the undecorated and the full name are both compared.
    const bare = words.filter((word) => !decorationWords.has(word));
    return wellKnown.has(words.join("")) || isMadeOfNames(bare.join(""));
  });
}

/** Digits and signs that a reader takes for letters, but that a skeleton keeps apart. */
const signs: Readonly<Record<string, string>> = {
  "5": "s",
  $: "s",
  "\u00a7": "s",
  "7": "t",
  "+": "t",
  "\u2020": "t",
  "3": "e",
  "\u20ac": "e",
  "4": "a",
  "@": "a",
};
/** Characters after which text is displayed in reverse. */
const TURNED = /[\u202e\u2067]/u;

/**
 * Candidate spellings: as written, with letters for signs, without separate numbers, and reversed where the display is
 * reversed.
 */
function spellingsOf(name: string): readonly string[] {
  const text = [...name].map(plainLetter).join("").normalize("NFKC");
  const unnumbered = text.replace(/(?<![\p{L}\p{N}])\p{N}+(?![\p{L}\p{N}])/gu, " ");
  const drawn = [text, unnumbered].flatMap((each) => [each, [...each].map((sign) => signs[sign] ?? sign).join("")]);
  return TURNED.test(name) ? [...drawn, ...drawn.map((each) => [...each].reverse().join(""))] : drawn;
}

/**
 * First code points of the regional indicators, and of the white letters in dark circles and squares. Unicode
 * normalization does not turn them into letters.
 */
const alphabets = [0x1f1e6, 0x1f150, 0x1f170];

function plainLetter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const first = alphabets.find((each) => code >= each && code < each + 26);
  return first === undefined ? character : String.fromCodePoint(0x61 + code - first);
}

/** Splits a name into words of letters and digits, as a reader takes them. All other characters separate words. */
function wordsOf(name: string): readonly string[] {
  return tokenNameSkeleton(name).match(/[\p{L}\p{N}]+/gu) ?? [];
}

const wellKnown: ReadonlySet<string> = new Set(wellKnownNames.map((name) => wordsOf(name).join("")));
const decorationWords: ReadonlySet<string> = new Set(decorations.flatMap(wordsOf));
/** Decorations of one or two letters occur in many ordinary names. */
const longDecorations = [...decorationWords].filter((word) => word.length > 2);
/** Nodes accept names of 32 bytes, and no letter expands to more than a few letters in a skeleton. */
const LONGEST = 128;

/** True when the letters consist only of well-known names and decorations, with at least one name. */
function isMadeOfNames(letters: string): boolean {
  if (letters.length > LONGEST) return false;
  // Positions up to which the letters are explained, and the subset of positions for which the explanation includes a
  // name.
  const isReached = new Set([0]);
  const isNamed = new Set<number>();
  for (let at = 0; at < letters.length; at++) {
    if (!isReached.has(at)) continue;
    for (const part of [...wellKnown, ...longDecorations]) {
      if (!letters.startsWith(part, at)) continue;
      isReached.add(at + part.length);
      if (isNamed.has(at) || wellKnown.has(part)) isNamed.add(at + part.length);
    }
  }
  return isNamed.has(letters.length);
}

/**
 * T11: the called contract imitates a well-known token or protocol. A token that another contract's call names, for
 * example the token to buy, is checked as well.
 */
export const counterfeitToken: TronRule = ({ contract, counterparty, imitationNamed }) => {
  // `resembles_label` reports an imitation that is itself the counterparty.
  const called = counterparty?.address === contract?.address ? undefined : textOf("contract", contract);
  const named = counterparty?.address === imitationNamed?.address ? undefined : textOf("token", imitationNamed);
  return called ?? named;
};

function textOf(what: string, known: RecognizedAddress | undefined): string | undefined {
  if (known?.imitated === undefined) return undefined;
  return `the ${what} ${known.address} looks like ${known.imitated.name} (${known.imitated.address}) and is another`;
}

/**
 * T11: a TRC-10 with a name like the coin or a dollar token is a counterfeit. Moved TRC-10s are given by id only. Their
 * names come from the node alone.
 */
export const counterfeitAssetName: TronRule = (facts) => {
  const found = namesIn(facts).find(({ name }) => calledLikeMoney(name));
  if (found === undefined) return undefined;
  const which = found.id === undefined ? "" : ` with the id ${found.id}`;
  return `a TRC-10${which} that is called ${JSON.stringify(found.name.slice(0, 60))}: neither TRX nor a dollar token is one`;
};

interface Named {
  readonly id: bigint | undefined;
  readonly name: string;
}

function namesIn({ operation, chain }: TronFacts): readonly Named[] {
  const said = namesOf(operation.type, operation.value);
  return [
    ...said.map((name) => ({ id: undefined, name })),
    ...(chain?.assets ?? []).flatMap(({ id, name, abbr }) => [
      { id, name },
      { id, name: abbr },
    ]),
  ];
}

/** The TRC-10 names that the operation itself states. */
function namesOf(type: string, value: MessageValue): readonly string[] {
  if (type === "AssetIssueContract") return [textIn(value, "name"), textIn(value, "abbr")];
  if (type === "TransferAssetContract" || type === "ParticipateAssetIssueContract")
    return [textIn(value, "asset_name")];
  return [];
}
