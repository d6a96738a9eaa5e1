import { Argument, type Command } from "commander";
import { commandAt, withHelp } from "./command-help.ts";

/** Shells that `weir completion` prints a script for. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** Commands about the command line itself. */
export function addHelpCommands(program: Command): void {
  program
    .command("help")
    .summary("print the help of a command")
    .description("Prints the help of a command.")
    .argument("[command...]", "Words of the command, such as: labels check.")
    .action((words: readonly string[]) => {
      const [command, unknown] = commandAt(program, words);
      if (unknown.length > 0)
        program.error(`error: unknown command '${words.join(" ")}': run "weir help" for all commands`);
      command.outputHelp();
    });

  withHelp(program.command("completion"), {
    examples: [
      ["Complete commands in this bash", "source <(weir completion bash)"],
      ["Complete commands in every zsh", `weir completion zsh > "\${fpath[1]}/_weir"`],
      ["Complete commands in every fish", "weir completion fish > ~/.config/fish/completions/weir.fish"],
    ],
    statuses: { 0: "The script is printed.", 1: "The shell is unknown." },
  })
    .summary("print a script that completes commands in a shell")
    .description("Prints a script that completes commands, flags and their values in a shell.")
    .addArgument(new Argument("<shell>", "Shell of the script.").choices(shells))
    .action(async (shell: Shell) => {
      const { completionScript } = await import("../completion/completion-script.ts");
      process.stdout.write(completionScript(program, shell));
    });
}
