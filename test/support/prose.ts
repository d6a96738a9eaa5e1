/** Words for people. A comment that needs them speaks of things as if they were people, or names nothing. */
const PERSONS =
  /\b(?:who|whom|whose|whoever|whomever|nobody|somebody|anybody|everybody|someone|anyone|everyone|he|him|his|she|her)\b/gi;
const WORD = /[A-Za-z][\w'’-]*/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:"'`\w/\\])\/\/[^\n]*/g;
const TITLE = /\b(?:test|it|describe)(?:\.\w+)?(?:\((?:[^()`]|\([^()]*\))*\))?\(\s*(?:"([^"\n]*)"|`([^`]*)`)/g;
const SOURCE = /\bSource: ([^.;,]+(?:\.\w[^.;,]*)*)/g;

/** The text of each comment of a TypeScript file, without its marks. */
export function commentsIn(text: string): readonly string[] {
  return [...text.matchAll(COMMENT)].map(([comment]) => comment.replace(/^\/\*+|\*+\/$|^\/\/|^[ \t]*\*(?!\/) ?/gm, ""));
}

/** The names of the tests and groups of tests in a file. */
export function testTitlesIn(text: string): readonly string[] {
  return [...text.matchAll(TITLE)].map(([, plain, template]) => plain ?? template ?? "");
}

export function wordCount(text: string): number {
  return text.match(WORD)?.length ?? 0;
}

export function personsIn(text: string): readonly string[] {
  return text.match(PERSONS) ?? [];
}

/** Sentences of more than `most` words. A list item, a tag and a cell of a table begin a sentence. */
export function longSentencesIn(comment: string, most: number): readonly string[] {
  return comment
    .split(/(?<=[.:;!?])\s+|\n\s*\n|\n\s*(?=[-@])|\s*\|\s*/)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => wordCount(sentence) > most);
}

/** What `Source:` names, one text for each. */
export function sourcesIn(comment: string): readonly string[] {
  return [...comment.replace(/\s+/g, " ").matchAll(SOURCE)].map(([, named = ""]) => named.trim());
}
