/** Calls with the fields of a log line or the context of an error, and the index of that argument. */
const HANDED: readonly (readonly [RegExp, number])[] = [
  [/\blog\.(?:debug|info|warn|error)\(/g, 1],
  [/\bnew [A-Z]\w*Error\(/g, 1],
  [/\.halt\(/g, 2],
];
/** Declarations of such fields before the call. */
const PREPARED = /^ +const (?:shownFields|(?:fields|context)\b[^=\n]*) = (?=[{[])|^const shownFields = (?=\[)/gm;
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };

/**
 * Names of fields that a source file passes to a log, or to an error as its context. Values of `...spread` are found at
 * their declaration. The source is read as text: object literals among the arguments, and those named `fields` or
 * `context`. The cause of an error is no part of its context.
 */
export function fieldsLoggedIn(source: string): readonly string[] {
  const literals = [
    ...HANDED.flatMap(([call, place]) =>
      [...source.matchAll(call)]
        .map(({ index, 0: head }) => partsOf(insideOf(source, index + head.length - 1))[place] ?? "")
        .filter((part) => part.startsWith("{")),
    ),
    ...[...source.matchAll(PREPARED)].map(({ index, 0: head }) => `{${insideOf(source, index + head.length)}}`),
  ];
  return literals.flatMap((literal) =>
    partsOf(insideOf(literal, 0)).flatMap((part) => {
      const name = /^"?(?<name>\w+)/.exec(part)?.groups?.["name"];
      return name === undefined || name === "cause" ? [] : [name];
    }),
  );
}

/** The text between the bracket at `open` and its closing bracket; string literals are skipped. */
function insideOf(source: string, open: number): string {
  const waited: string[] = [];
  for (let i = open; i < source.length; i++) {
    const character = source[i] ?? "";
    if (character === '"' || character === "'" || character === "`") {
      i = endOfText(source, i);
      continue;
    }
    const closing = CLOSING[character];
    if (closing !== undefined) waited.push(closing);
    else if (character === waited.at(-1)) waited.pop();
    if (waited.length === 0) return source.slice(open + 1, i);
  }
  throw new Error(`nothing closes: ${source.slice(open, open + 80)}`);
}

function endOfText(source: string, from: number): number {
  for (let i = from + 1; i < source.length; i++) {
    if (source[i] === "\\") i++;
    else if (source[i] === source[from]) return i;
  }
  return source.length;
}

/** The parts of a list between its outermost commas. */
function partsOf(list: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < list.length; i++) {
    const character = list[i] ?? "";
    if (character === '"' || character === "'" || character === "`") i = endOfText(list, i);
    else if (CLOSING[character] !== undefined) i += insideOf(list, i).length + 1;
    else if (character === ",") {
      parts.push(list.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, list.slice(from)].map((part) => part.trim()).filter((part) => part !== "");
}
