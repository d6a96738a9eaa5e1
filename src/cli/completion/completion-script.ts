import type { Command } from "commander";
import type { Shell } from "../program/help-commands.ts";
import { bashScript } from "./bash-script.ts";
import { completionTable } from "./completion-table.ts";
import { fishScript } from "./fish-script.ts";
import { zshScript } from "./zsh-script.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const satisfies Record<Shell, unknown>;

/** The script that completes the commands of a program in a shell. */
export function completionScript(program: Command, shell: Shell): string {
  return scripts[shell](completionTable(program));
}
