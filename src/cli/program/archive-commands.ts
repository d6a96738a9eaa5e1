import { type Command, Option } from "commander";
import type { BacktestFlags } from "../backtest/backtest.ts";
import type { ExplainFlags } from "../explain/explain.ts";
import { explainForms } from "../explain/explain-forms.ts";
import type { ExportFlags } from "../export/export.ts";
import type { FindFlags } from "../find/find.ts";
import type { RescreenFlags } from "../rescreen/rescreen.ts";
import type { RunContext } from "../terminal/run-context.ts";
import { type CommandHelp, withHelp } from "./command-help.ts";
import { repeatable } from "./options.ts";

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
    0: "Every verdict was compared, and no decision becomes milder.",
    1: "The backtest failed.",
    2: "At least one decision becomes milder, or some verdicts could not be compared for certain. The report says why.",
  },
  note: "The command asks no service. Without DIR, the command reads the bucket of S3_BUCKET.",
  documents: ["docs/archive.md", "docs/verdicts.md"],
};

const rescreenHelp: CommandHelp = {
  examples: [
    ["Find past payments that a newer list concerns", "weir rescreen weir-out --lists ofac.csv,own.csv"],
    ["Compare two days of a list on the bucket", "weir rescreen --lists today.csv --against yesterday.csv --json"],
  ],
  statuses: {
    0: "No decision changes.",
    1: "The command failed.",
    2: "At least one decision changes.",
  },
  note: "The command asks no service. Without DIR, the command reads the bucket of S3_BUCKET. Name every list in use: a list that is left out counts as removed.",
  documents: ["docs/archive.md", "docs/labels-and-lists.md"],
};

const findHelp: CommandHelp = {
  examples: [
    ["Find an address in the folder of weir screen", "weir find 0xdAC17F958D2ee523a2206206994597C13D831ec7 weir-out"],
    ["Find an event in the bucket", "S3_BUCKET=verdicts weir find withdrawal-4711"],
    ["Find an address in the verdicts of a month", "weir find TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t --from 2026-10-01"],
  ],
  statuses: {
    0: "At least one verdict has the key.",
    1: "The command failed.",
    2: "No verdict has the key.",
  },
  note: "Without DIR, the command reads the bucket of S3_BUCKET.",
  documents: ["docs/archive.md"],
};

const explainHelp: CommandHelp = {
  examples: [
    ["Explain the verdict on an event", "weir explain withdrawal-4711 weir-out"],
    ["Write a page for one case", "weir explain withdrawal-4711 weir-out --format html > case.html"],
  ],
  statuses: {
    0: "The verdict is explained, and its evidence gives the same decision.",
    1: "The command failed.",
    2: "There is no such verdict, its evidence gives another decision, or its object was changed.",
  },
  note: "Without DIR, the command reads the bucket of S3_BUCKET.",
  documents: ["docs/archive.md", "docs/verdicts.md"],
};

const indexHelp: CommandHelp = {
  examples: [
    ["Index the folder of weir screen", "weir index weir-out"],
    ["Index the new objects of the bucket", "S3_BUCKET=verdicts weir index"],
  ],
  statuses: { 0: "Every object has a filter.", 1: "The command failed." },
  note: "Without DIR, the command reads and writes the bucket of S3_BUCKET. Run it again for later objects, for example once a day.",
  documents: ["docs/archive.md"],
};

const exportHelp: CommandHelp = {
  examples: [
    ["Export the folder of weir screen", "weir export weir-out --out tables"],
    [
      "Export the new objects of the bucket, without data of customers",
      "S3_BUCKET=verdicts weir export --out tables --redact",
    ],
  ],
  statuses: {
    0: "Every archived verdict is exported.",
    1: "The command failed. The same command continues the export.",
    2: "Some lines of the archive hold no verdict.",
  },
  note: "Without DIR, the command reads the bucket of S3_BUCKET. Run it again for later objects.",
  documents: ["docs/archive.md"],
};

const FOLDER = "Folder that weir screen wrote (--out), in place of a bucket.";
const FULL = "Read every object, whatever its filter says.";

/** Commands that decide or find archived verdicts again. */
export function addArchiveCommands(program: Command, { env, signal }: RunContext): void {
  withHelp(program.command("backtest"), backtestHelp)
    .summary("decide archived verdicts again by another policy")
    .description("Decides archived verdicts again by another policy, and reports which decisions change.")
    .argument("[dir]", FOLDER)
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

  withHelp(program.command("rescreen"), rescreenHelp)
    .summary("decide archived verdicts again by other lists")
    .description("Decides archived verdicts again by other lists, and reports which decisions change.")
    .argument("[dir]", FOLDER)
    .addOption(repeatable("--lists <files>", "The complete set of new lists. (default: LISTS_FILES)"))
    .addOption(repeatable("--labels <files>", "The complete set of label files. (default: LABELS_FILES)"))
    .addOption(repeatable("--against <files>", "The old lists. (default: the matches that the verdicts recorded)"))
    .option("--from <date>", "First day of the verdicts, in UTC, such as 2026-01-31.")
    .option("--until <date>", "Last day of the verdicts, in UTC.")
    .option("--changes <file>", "New file for the changed verdicts, one JSON object a line.")
    .option("--json", "Print the report as one JSON object.")
    .action(async (dir: string | undefined, flags: RescreenFlags) => {
      const { rescreen } = await import("../rescreen/rescreen.ts");
      process.exitCode = await rescreen(dir, flags, env, signal);
    });

  withHelp(program.command("find"), findHelp)
    .summary("find archived verdicts by address, id or hash")
    .description("Prints the archived verdicts that have a key, partition by partition, newest first.")
    .argument("<key>", "Address, event id, verdict id, or hash of a transaction, in full.")
    .argument("[dir]", FOLDER)
    .option("--from <date>", "First day of the verdicts, in UTC, such as 2026-01-31.")
    .option("--until <date>", "Last day of the verdicts, in UTC.")
    .option("--full", FULL)
    .option("--json", "Print each verdict as one JSON object a line.")
    .action(async (key: string, dir: string | undefined, flags: FindFlags) => {
      const { find } = await import("../find/find.ts");
      process.exitCode = await find(key, dir, flags, env, signal);
    });

  withHelp(program.command("explain"), explainHelp)
    .summary("explain one archived verdict")
    .description(
      "Prints all that the archive says about one verdict: event, requests, policy rows, lists, revisions, proof.",
    )
    .argument("<id>", "Event id or verdict id.")
    .argument("[dir]", FOLDER)
    .addOption(new Option("--format <format>", "Form of the explanation.").choices(explainForms).default("text"))
    .option("--full", FULL)
    .action(async (id: string, dir: string | undefined, flags: ExplainFlags) => {
      const { explain } = await import("../explain/explain.ts");
      process.exitCode = await explain(id, dir, flags, env, signal);
    });

  withHelp(program.command("export"), exportHelp)
    .summary("write the archive as Parquet files")
    .description("Writes each archived object as a Parquet file with flat columns, for DuckDB, Athena or ClickHouse.")
    .argument("[dir]", FOLDER)
    .option("--out <dir>", "Folder for the files. Complete files of an earlier export stay.", "weir-tables")
    .option("--from <date>", "First day of the objects, in UTC, such as 2026-01-31.")
    .option("--until <date>", "Last day of the objects, in UTC.")
    .option("--redact", "Leave out the columns event_id, user_addresses, reasons, checks and ref.")
    .action(async (dir: string | undefined, flags: ExportFlags) => {
      const { exportArchive } = await import("../export/export.ts");
      process.exitCode = await exportArchive(dir, flags, env, signal);
    });

  withHelp(program.command("index"), indexHelp)
    .summary("make find fast")
    .description("Makes a filter for each archived object without one, by which weir find passes over objects.")
    .argument("[dir]", FOLDER)
    .action(async (dir: string | undefined) => {
      const { index } = await import("../find/find.ts");
      process.exitCode = await index(dir, env, signal);
    });
}
