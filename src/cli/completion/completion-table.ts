import type { Command, Option } from "commander";
import { pathOf } from "../program/command-help.ts";

export interface CompletionFlag {
  /** `--out`, and its short form where there is one. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takes: "nothing" | "word" | "file";
  /** The only values of the flag; empty: any. */
  readonly values: readonly string[];
}

export interface CompletionCommand {
  /** The words that call the command; empty for the program itself. */
  readonly path: string;
  /** Words that may follow, each with a description: commands, or the values of the first argument. */
  readonly words: readonly (readonly [word: string, description: string])[];
  readonly flags: readonly CompletionFlag[];
}

/** The table of all commands for the scripts of shells, in the order of the help. */
export function completionTable(program: Command): readonly CompletionCommand[] {
  const commands = (of: Command): readonly Command[] => [of, ...of.commands.flatMap(commands)];
  return commands(program).map((command): CompletionCommand => {
    const help = command.createHelp();
    const options = [
      ...help.visibleOptions(command),
      ...(command === program ? [] : help.visibleGlobalOptions(command)),
    ];
    return { path: pathOf(command), words: wordsAfter(command, program), flags: options.map(flagOf) };
  });
}

function wordsAfter(command: Command, program: Command): CompletionCommand["words"] {
  const named = ({ commands }: Command) => commands.map((each) => [each.name(), each.summary()] as const);
  // The help takes the words of any command.
  if (pathOf(command) === "help") return named(program);
  const choices = command.registeredArguments[0]?.argChoices ?? [];
  return [
    ...named(command),
    ...choices.map((choice) => [choice, command.registeredArguments[0]?.name() ?? ""] as const),
  ];
}

function flagOf(option: Option): CompletionFlag {
  const isFile = /[<[](file|dir)[>\]]/.test(option.flags);
  return {
    names: [option.long, option.short].filter((name) => name !== undefined && name !== null),
    description: option.description.split(/(?<=\.) /, 1)[0] ?? "",
    takes: option.required ? (isFile ? "file" : "word") : "nothing",
    values: option.argChoices ?? [],
  };
}
