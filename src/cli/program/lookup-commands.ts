import { type Command, Option } from "commander";
import { labelFormatNames } from "../../adapters/files/labels/label-format.ts";
import { addressKinds } from "../../labels/label.ts";
import type { InspectFlags } from "../inspect/inspect.ts";
import type { ImportFlags } from "../labels/import-labels.ts";
import type { RunContext } from "../terminal/run-context.ts";
import { wholeNumber } from "./options.ts";

/** One example for each format. */
const importExamples = `
Examples:
  weir labels import SDN_ADVANCED.XML --format ofac-xml --out ofac.csv
  weir labels import SDN.CSV --format ofac-csv --comments SDN_COMMENTS.CSV --out ofac.csv
  weir labels import entities.ftm.json --format opensanctions --out opensanctions.csv
  weir labels import addresses.txt --format address-list --kind blocked --name "Own list" --out own.csv
  weir labels import tags.json --format explorer-labels --chain eth --out tags.csv
  weir labels import cex.csv --format cex-table --out exchanges.csv
  weir labels import tokens.json --format token-list --out tokens.csv
  weir labels import rows.csv --format csv --out checked.csv
`;

/** Commands that look up one thing, or make a file for lookups: inspect and labels. */
export function addLookupCommands(program: Command, { env, signal }: RunContext): void {
  program
    .command("inspect")
    .summary("say what a contract can do, from its bytecode alone")
    .description(
      "Reads hex code, runtime or creation, from FILE or from every file of a folder, or the code that runs at an address " +
        "of a chain in EVM_RPC_URLS, behind a proxy too, and prints a line of JSON for each; on a terminal a report. " +
        "The code is read, and then tried out in an embedded machine. Needs no source. What could not be told is unknown, never no.\n" +
        "Exit status: 0 clean, 2 something could not be analysed, 1 failed.",
    )
    .argument("[address]", "address of a contract, with --chain")
    .option("--bytecode <file>", "file with hex code, or a folder of such files")
    .option("--chain <id>", "chain that the address is on, by number or alias")
    .option("--timeout <ms>", "longest time for one contract, milliseconds", wholeNumber, 2_000)
    .option("--json", "lines of JSON on a terminal, too")
    .option("--no-execute", "only read the code")
    .action(async (address: string | undefined, flags: InspectFlags) => {
      const { inspect } = await import("../inspect/inspect.ts");
      process.exitCode = await inspect(flags, address, env, signal);
    });

  const labels = program.command("labels").summary("make label files, and look an address up in them");

  labels
    .command("import")
    .summary("make a label file of what others publish")
    .description(
      "Reads FILE piece by piece, checks every row as LABELS_FILES are checked, and writes those that are labels, as CSV. What " +
        "was refused, and why, and what is on chains that are not screened, is told on standard error. Nothing is fetched: get " +
        "the file yourself, and mind its licence. FILE may be packed with gzip; - is standard input.\n" +
        "ofac-xml: SDN_ADVANCED.XML or SDN.XML. ofac-csv: SDN.CSV. opensanctions: entities.ftm.json. address-list: one address " +
        "a line with a name behind it, or a JSON array; without --chain each is told by its form. explorer-labels: JSON by " +
        "address, a name or {name, labels}. cex-table: CSV with blockchain, address, cex_name. token-list: JSON by the Uniswap " +
        "schema. csv: chain, address, name, kind.\n" +
        "Exit status: 0 clean, 2 some rows were refused, 1 failed.",
    )
    .argument("<file>", "what was published")
    .addOption(new Option("--format <format>", "instead of telling it from the file").choices(labelFormatNames))
    .option(
      "--chain <id>",
      "chain of addresses that name none: decimal id, or eth, tron, solana, btc, ...; evm: all EVM chains",
    )
    .addOption(
      new Option(
        "--kind <kind>",
        "kind of addresses to which the source gives none; of a csv it fills empty cells of the column kind, which must be there",
      ).choices(addressKinds),
    )
    .option("--name <name>", "name of addresses to which the source gives none")
    .option("--comments <file>", "SDN_COMMENTS.CSV, which continues the remarks of SDN.CSV")
    .option("--out <file>", "where the label file goes; it must not be there yet (default: standard output)")
    .addHelpText("after", importExamples)
    .action(async (file: string, flags: ImportFlags) => {
      const { importLabels } = await import("../labels/import-labels.ts");
      process.exitCode = await importLabels(file, flags, signal);
    });

  labels
    .command("check")
    .summary("say what an address is, or resembles")
    .description(
      "Looks ADDRESS up in the bundled labels and LABELS_FILES, and says what is known of it and what it could be taken for. " +
        "What it is elsewhere, on another chain of its family, excuses nothing on this one.\n" +
        "Exit status: 0 nothing against it, 2 it is malicious, sanctioned, or resembles what it is not, 1 failed.",
    )
    .argument("<address>", "address to look up")
    .option("--chain <id>", "its chain (default: by its form; Ethereum for 0x)")
    .action(async (address: string, { chain }: { chain?: string }) => {
      const { checkLabel } = await import("../labels/labels.ts");
      process.exitCode = await checkLabel(address, chain, env);
    });
}
