import { proseLines } from "./markdown.ts";
import { personsIn, wordCount } from "./prose.ts";

/** A piece of text that has to be understood by itself: a paragraph, a list item, or a cell of a table. */
export interface Passage {
  readonly line: number;
  readonly isCell: boolean;
  readonly sentences: readonly string[];
}

const ITEM = /^\s*(?:[-*]|\d+\.)\s+/;
const ROW = /^\s*\|/;
const SEPARATOR = /^\s*\|[\s|:-]+\|\s*$/;
const SENTENCE_END = /(?<=[.!?:;][*_)"]*)\s+(?=[*_("]*(?:[A-Z0-9]|CODE))/;

/**
 * A first word that stands for something said before. `This`, `that`, `these` and `those` count when a verb follows
 * instead of a noun.
 */
const PRONOUN =
  /^[*_("]*(?:(?:It|Its|They|Their|Them|He|His|She|Her|Both|Neither|Either|Such|Same|The same|The latter|The former)\b|(?:This|That|These|Those)\s+(?:is|are|was|were|has|have|had|does|do|did|means?|makes?|holds?|can|may|must|will|would|should|could|needs?|lets?|says?|gives?|tells?|shows?|takes?|keeps?|happens?|applies|apply|counts?)\b)/;

/** The passages of a document outside of code, headings and comments. */
export function passagesIn(text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let open: { readonly line: number; readonly texts: string[] } | undefined;
  const close = () => {
    if (open !== undefined) passages.push(passageOf(open.texts.join(" "), open.line, false));
    open = undefined;
  };
  proseLines(text.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ""))).forEach((line, at) => {
    if (SEPARATOR.test(line)) return;
    if (line.trim() === "" || /^#{1,6}\s|^!\[/.test(line)) close();
    else if (ROW.test(line)) {
      close();
      passages.push(...cellsOf(line).map((cell) => passageOf(cell, at + 1, true)));
    } else if (ITEM.test(line) || open === undefined) {
      close();
      open = { line: at + 1, texts: [line.replace(ITEM, "").trim()] };
    } else open.texts.push(line.trim());
  });
  close();
  return passages.filter(({ sentences }) => sentences.length > 0);
}

/** Code and links count as one word each. */
function passageOf(text: string, line: number, isCell: boolean): Passage {
  const plain = text.replace(/`[^`]*`/g, "CODE").replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
  return { line, isCell, sentences: plain.split(SENTENCE_END).filter((sentence) => wordCount(sentence) > 0) };
}

function cellsOf(row: string): readonly string[] {
  return row
    .replace(/`[^`]*`/g, (code) => code.replaceAll("|", "/"))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
}

/** Sentences with more than `most` words. */
export function longIn(passages: readonly Passage[], most: number): readonly string[] {
  return passages.flatMap(({ line, sentences }) =>
    sentences.filter((sentence) => wordCount(sentence) > most).map((sentence) => `${line}: ${sentence}`),
  );
}

/** Passages that begin with a pronoun: no noun stands before it. */
export function pronounsIn(passages: readonly Passage[]): readonly string[] {
  return passages
    .filter(({ sentences }) => PRONOUN.test(sentences[0] ?? ""))
    .map(({ line, sentences }) => `${line}: ${sentences[0]}`);
}

/** Sentences with a word for a person. */
export function personSentencesIn(passages: readonly Passage[]): readonly string[] {
  return passages.flatMap(({ line, sentences }) =>
    sentences.filter((sentence) => personsIn(sentence).length > 0).map((sentence) => `${line}: ${sentence}`),
  );
}

/** The mean of the words in the sentences of paragraphs and list items. Cells of tables are no running text. */
export function meanWords(passages: readonly Passage[]): number {
  const counts = passages.filter(({ isCell }) => !isCell).flatMap(({ sentences }) => sentences.map(wordCount));
  return counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length);
}
