import type { Command } from "commander";
import type { BacktestFlags } from "../backtest/backtest.ts";
import type { RunContext } from "../terminal/run-context.ts";
import { type CommandHelp, withHelp } from "./command-help.ts";

const backtestHelp: CommandHelp = {
  examples: [
    ["Try a new policy on the folder of weir screen", "weir backtest weir-out --policy new.json"],
    [
      "Try a new policy on a month of the bucket, and keep the changed verdicts",
      "weir backtest --policy new.json --from 2026-10-01 --until 2026-10-31 --changes october.ndjson",
    ],
    ["Compare two policies", "weir backtest weir-out --policy new.json --against old.json"],
  ],
  statuses: {
    0: "No decision becomes milder.",
    1: "The backtest failed.",
    2: "The new policy makes at least one decision milder.",
  },
  note: "The command asks no service. Without DIR, the command reads the bucket of S3_BUCKET.",
  documents: ["docs/archive.md", "docs/verdicts.md"],
};

/** Commands that decide or find archived verdicts again. */
export function addArchiveCommands(program: Command, { env, signal }: RunContext): void {
  withHelp(program.command("backtest"), backtestHelp)
    .summary("decide archived verdicts again by another policy")
    .description("Decides archived verdicts again by another policy, and reports which decisions change.")
    .argument("[dir]", "Folder that weir screen wrote (--out), in place of a bucket.")
    .requiredOption("--policy <file>", "The new policy.")
    .option("--against <file>", "The old policy. (default: the recorded decisions)")
    .option("--from <date>", "First day of the verdicts, in UTC, such as 2026-01-31.")
    .option("--until <date>", "Last day of the verdicts, in UTC.")
    .option("--changes <file>", "New file for the changed verdicts, one JSON object a line.")
    .option("--json", "Print the report as one JSON object.")
    .action(async (dir: string | undefined, flags: BacktestFlags) => {
      const { backtest } = await import("../backtest/backtest.ts");
      process.exitCode = await backtest(dir, flags, env, signal);
    });
}
