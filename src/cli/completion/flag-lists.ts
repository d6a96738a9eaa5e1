import type { CompletionCommand, CompletionFlag } from "./completion-table.ts";

/** Names of all flags that take a value: the word after them calls no command. */
export function valueFlags(table: readonly CompletionCommand[]): readonly string[] {
  const names = table.flatMap(({ flags }) =>
    flags.filter(({ takes }) => takes !== "nothing").flatMap((flag) => flag.names),
  );
  return [...new Set(names)];
}

/** Each command but the program itself, as its parent's words and its own: `labels check`, and ` labels` at the top. */
export function calledPaths(table: readonly CompletionCommand[]): readonly string[] {
  return table.flatMap(({ path }) => (path === "" ? [] : [path.includes(" ") ? path : ` ${path}`]));
}

/** The flags that take a value, with each of their names behind the words of the command: `screen --out`. */
export function flagUses(
  table: readonly CompletionCommand[],
): readonly (readonly [uses: readonly string[], flag: CompletionFlag])[] {
  return table.flatMap(({ path, flags }) =>
    flags
      .filter(({ takes }) => takes !== "nothing")
      .map((flag) => [flag.names.map((name) => `${path} ${name}`), flag] as const),
  );
}

/** A text between single quotes, for zsh and fish. */
export function quoted(text: string, escaped: string): string {
  return `'${text.replaceAll("'", escaped)}'`;
}
