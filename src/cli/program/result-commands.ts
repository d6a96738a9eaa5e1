import type { Command } from "commander";
import type { ReportFlags } from "../report/report.ts";
import type { ShowVerdictsFlags } from "../show/show.ts";
import type { RunContext } from "../terminal/run-context.ts";
import { type CommandHelp, withHelp } from "./command-help.ts";
import { noColorOption, quietOption, repeatable } from "./options.ts";

const showHelp: CommandHelp = {
  examples: [
    ["Print every verdict that is not ALLOW, most severe first", "weir show day"],
    ["Print the verdicts on one address", "weir show day --address 0xd9A1C3788D81257612E2581A6ea0aDa244853a91"],
    ["Print the lookalikes of one chain as CSV", "weir show day --finding mimics_user --chain eth --csv"],
    ["Print the verdicts of some lines as JSON", "weir show day --line 7 --line 20-40 --json"],
  ],
  statuses: {
    0: "The verdicts are printed, also when none fits the filters.",
    1: "The command failed or was stopped.",
    2: "Some lines of the log hold no verdict. Standard error names the first one.",
  },
  documents: ["docs/reports.md", "docs/verdicts.md"],
};

const reportHelp: CommandHelp = {
  examples: [
    ["Make report.html, report.csv and report.xlsx in the folder of a run", "weir report day"],
    ["Make the report in another folder", "weir report day --out reports"],
  ],
  statuses: {
    0: "The report is complete.",
    1: "The command failed or was stopped.",
    2: "The report is complete but for lines of the log that hold no verdict. The page and the output name the first one.",
  },
  documents: ["docs/reports.md", "docs/verdicts.md"],
};

/** Commands over the folder of a run: show and report. */
export function addResultCommands(program: Command, { env, signal }: RunContext): void {
  const show = program
    .command("show")
    .summary("print the verdicts of a run, most severe first")
    .description(
      "Prints the latest verdict on each event of a run, most severe first. Without a filter, ALLOW is left out.",
    )
    .argument("[dir]", "Folder of a run.", "weir-out");
  withHelp(show, showHelp)
    .addOption(
      repeatable("--decision <decision>", "Only this decision: block, unknown, warn or allow. May be repeated."),
    )
    .addOption(repeatable("--finding <finding>", "Only verdicts with this finding. May be repeated."))
    .addOption(repeatable("--chain <id>", "Only this chain, as a decimal id or a name. May be repeated."))
    .addOption(
      repeatable(
        "--address <address>",
        "Only verdicts that name this address, as subject, token, user or imitated address. May be repeated.",
      ),
    )
    .addOption(
      repeatable("--line <lines>", "Only events of these lines of the input, such as 7 or 7-20. May be repeated."),
    )
    .option("--csv", "Print a table in CSV.")
    .option("--json", "Print the verdicts as they are in the log, one a line.")
    .addOption(noColorOption())
    .action(async (dir: string, flags: ShowVerdictsFlags) => {
      const { show } = await import("../show/show.ts");
      const { pacedOutput } = await import("../terminal/standard-output.ts");
      const note = (line: string) => process.stderr.write(`weir: ${line}\n`);
      process.exitCode = await show(dir, flags, env, signal, pacedOutput(process.stdout), note);
    });

  const report = program
    .command("report")
    .summary("make a page and tables of a run, for people")
    .description("Makes an HTML page of a run, and a CSV and an XLSX file of the rows that need a person.")
    .argument("[dir]", "Folder of a run.", "weir-out");
  withHelp(report, reportHelp)
    .option("--out <dir>", "Folder for the report. (default: the folder of the run)")
    .addOption(quietOption())
    .action(async (dir: string, flags: ReportFlags) => {
      const { report } = await import("../report/report.ts");
      process.exitCode = await report(dir, flags, signal);
    });
}
