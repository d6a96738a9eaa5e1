import { readFileSync } from "node:fs";
import { personsIn, wordCount } from "./prose.ts";

/** Words that stand for a thing. At the beginning of a sentence the thing would be named elsewhere. */
const PRONOUN =
  /^(?:it|its|they|their|them|theirs|he|him|his|she|her|these|those|who|whoever|what|whatever|which|whichever)\b|^(?:this|that)\s+(?:is|are|was|were|has|have|can|may|must|will|does|do|says|means)\b/i;

/** Phrases of this project that no engineer outside knows. */
const DIALECT =
  /\b(?:in company|put off|held against|hold against|made anew|begins anew|spelled out|of those|of them|so many|as many as|is told|are told|no more of|for the time being)\b/i;

const LOG_CALL = /\blog\.(?:warn|info|error)\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;

/** The sentences of a text. Code between backticks counts as one word each, and a colon ends no sentence. */
export function sentencesIn(text: string): readonly string[] {
  return text
    .replaceAll(/`[^`]*`/g, "code")
    .split(/(?<=[.;?!])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** The faults of a text that stands alone: a person, a pronoun at the beginning of a sentence, a phrase of our own. */
export function faultsIn(text: string): readonly string[] {
  const sentences = sentencesIn(text);
  return [
    ...personsIn(text).map((word) => `person: ${word}`),
    ...sentences.filter((sentence) => PRONOUN.test(sentence)).map((sentence) => `pronoun: ${sentence}`),
    ...sentences.filter((sentence) => wordCount(sentence) >= 35).map((sentence) => `long: ${sentence}`),
    ...(DIALECT.exec(text) ?? []).map((phrase) => `dialect: ${phrase}`),
  ];
}

export function meanLength(texts: readonly string[]): number {
  const sentences = texts.flatMap(sentencesIn);
  return sentences.reduce((sum, sentence) => sum + wordCount(sentence), 0) / sentences.length;
}

/** The messages of log lines in a file of source. */
export function logMessagesIn(file: string): readonly string[] {
  return [...readFileSync(file, "utf8").matchAll(LOG_CALL)].map(([, plain, template]) =>
    (plain ?? template ?? "").replaceAll(/\$\{[^}]*\}/g, "code"),
  );
}
