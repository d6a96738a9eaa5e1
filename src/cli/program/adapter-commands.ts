import type { Command } from "commander";
import type { AdapterCheckFlags } from "../adapter-check/adapter-check.ts";
import type { RunContext } from "../terminal/run-context.ts";
import { type CommandHelp, withHelp } from "./command-help.ts";

const checkHelp: CommandHelp = {
  examples: [
    [
      "Test the example adapter",
      "weir adapter check examples/service-adapter/adapter.mjs --cases examples/service-adapter/cases",
    ],
    [
      "Print failures only",
      "SERVICE_LEVELS=low=INFO,high=BLOCK weir adapter check ./adapter.mjs --cases ./cases --quiet",
    ],
  ],
  statuses: {
    0: "Every case passed.",
    1: "Weir cannot read the adapter or a case.",
    2: "A case failed.",
  },
  documents: ["docs/service-adapters.md"],
};

/** Commands about adapters of services with another interface. */
export function addAdapterCommands(program: Command, { env, signal }: RunContext): void {
  const check = program
    .command("adapter")
    .summary("test an adapter for a service with another interface")
    .description("Tests an adapter for a service with another interface.")
    .command("check");
  withHelp(check, checkHelp)
    .summary("test an adapter with recorded and hostile answers")
    .description(
      "Tests an adapter with the recorded answers of each case, and with broken answers that must clear no event.",
    )
    .argument("<file>", "ES module of the adapter, as SERVICE_ADAPTER names it.")
    .requiredOption("--cases <dir>", "Folder of recorded answers, one file NAME.json each.")
    .option("--quiet", "Print only failures and counts.")
    .action(async (file: string, flags: AdapterCheckFlags) => {
      const { adapterCheck } = await import("../adapter-check/adapter-check.ts");
      process.exitCode = await adapterCheck(file, flags, env, signal);
    });
}
