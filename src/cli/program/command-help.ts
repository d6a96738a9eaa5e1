import type { Command } from "commander";

/** Widest line of a help. A wider line is hard to read. */
export const HELP_WIDTH = 100;

/** The parts of a command's help that follow its flags. `help-text.ts` prints them. */
export interface CommandHelp {
  /** Command lines with the purpose of each. */
  readonly examples: readonly (readonly [purpose: string, line: string])[];
  readonly statuses: Readonly<Record<number, string>>;
  /** Variables that the command needs, beyond those without which its schema fails. */
  readonly needs?: readonly string[];
  /** What the list of variables cannot show. */
  readonly note?: string;
  /** Documents that explain the command. */
  readonly documents?: readonly string[];
}

const helps = new WeakMap<Command, CommandHelp>();

/** Adds the parts of its help to a command. @returns the command. */
export function withHelp(command: Command, help: CommandHelp): Command {
  helps.set(command, help);
  return command;
}

export function helpOf(command: Command): CommandHelp | undefined {
  return helps.get(command);
}

/** The words that call a command, without the name of the program: `labels check`. */
export function pathOf(command: Command): string {
  const words: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) words.unshift(at.name());
  return words.join(" ");
}

/** The command that some words call, and the words that no command has. */
export function commandAt(program: Command, words: readonly string[]): readonly [Command, readonly string[]] {
  const [word, ...rest] = words;
  const next = program.commands.find((each) => each.name() === word || each.aliases().includes(word ?? ""));
  return next === undefined ? [program, words] : commandAt(next, rest);
}
