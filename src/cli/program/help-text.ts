import type { Command } from "commander";
import { fallbacksIn, requiredIn, settingsOf } from "../config/docs/env-table.ts";
import { byArea } from "../config/setting-areas.ts";
import { type CommandHelp, HELP_WIDTH, helpOf, pathOf } from "./command-help.ts";

const INTERRUPTED = "Ctrl-C stopped the command before its end.";

/**
 * Completes the help of every command with examples, exit statuses, variables and documents. Only a call for help loads
 * this module: the list of variables needs the schemas of all settings.
 */
export function addHelpTexts(program: Command): void {
  for (const command of program.commands) {
    addHelpTexts(command);
    const help = helpOf(command);
    if (help !== undefined) command.addHelpText("after", `\n${helpText(pathOf(command), help)}`);
  }
}

function helpText(path: string, help: CommandHelp): string {
  const sections = [
    ["Examples:", ...help.examples.flatMap(([purpose, line]) => [`  # ${purpose}`, `  ${line}`])],
    ["Exit status:", ...statusLines(help)],
    variableLines(path, help),
    documentLines(help.documents ?? []),
  ];
  return sections
    .filter((section) => section.length > 0)
    .map((section) => section.join("\n"))
    .join("\n\n");
}

function statusLines({ statuses }: CommandHelp): readonly string[] {
  const rows = Object.entries({ ...statuses, 130: INTERRUPTED });
  return rows.flatMap(([status, meaning]) => lines(meaning.split(" "), " ", `  ${status.padStart(3)}  `, "       "));
}

/** A longer default, such as a list of headers, is shown by `weir config` alone. */
const LONGEST_DEFAULT = 60;

function variableLines(path: string, { needs = [], note }: CommandHelp): readonly string[] {
  const schema = settingsOf(path);
  if (schema === undefined) return [];
  const fallbacks = fallbacksIn(schema);
  const required = new Set([...requiredIn(schema), ...needs]);
  const areas = byArea(Object.keys(schema.shape), (name) => name).flatMap(([area, names]) => {
    const shown = names.map((name) => {
      const fallback = fallbacks.get(name);
      if (required.has(name)) return `${name} (required)`;
      if (fallback === undefined || fallback === "") return name;
      return `${name}=${fallback.length > LONGEST_DEFAULT ? "..." : fallback}`;
    });
    return [`  ${area}:`, ...lines(shown, "  ", "    ")];
  });
  const more = `${note === undefined ? "" : `${note} `}Run "weir config ${path.split(" ")[0]}" to print the values in effect.`;
  return ["Environment variables, with defaults:", ...areas, ...lines(more.split(" "), " ", "  ")];
}

function documentLines(documents: readonly string[]): readonly string[] {
  return documents.length === 0 ? [] : [`Learn more: ${documents.join(", ")}`];
}

/** Words in lines of at most `HELP_WIDTH`. @param gap what stands between two words. */
function lines(words: readonly string[], gap: string, first: string, others = first): readonly string[] {
  const done: string[] = [];
  let line = first + (words[0] ?? "");
  for (const word of words.slice(1)) {
    if (line.length + gap.length + word.length <= HELP_WIDTH) line += gap + word;
    else {
      done.push(line);
      line = others + word;
    }
  }
  return [...done, line];
}
