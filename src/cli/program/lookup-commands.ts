import { type Command, Option } from "commander";
import { labelFormatNames } from "../../adapters/files/labels/label-format.ts";
import { addressKinds } from "../../labels/label.ts";
import type { InspectFlags } from "../inspect/inspect.ts";
import type { ImportFlags } from "../labels/import-labels.ts";
import type { RunContext } from "../terminal/run-context.ts";
import { type CommandHelp, withHelp } from "./command-help.ts";
import { wholeNumber } from "./options.ts";

const inspectHelp: CommandHelp = {
  examples: [
    ["Analyse a file with hex code", "weir inspect --bytecode token.hex"],
    [
      "Analyse a deployed contract, also behind a proxy",
      "EVM_RPC_URLS_FILE=nodes.json weir inspect 0xdAC17F958D2ee523a2206206994597C13D831ec7 --chain eth",
    ],
  ],
  statuses: {
    0: "Every contract is analysed.",
    1: "The command failed.",
    2: "Weir could not analyse some code.",
  },
  documents: ["docs/bytecode.md"],
};

/** One example for each format. */
const importHelp: CommandHelp = {
  examples: [
    ["OFAC, SDN_ADVANCED.XML or SDN.XML", "weir labels import SDN_ADVANCED.XML --format ofac-xml --out ofac.csv"],
    [
      "OFAC, SDN.CSV with its remarks",
      "weir labels import SDN.CSV --format ofac-csv --comments SDN_COMMENTS.CSV --out ofac.csv",
    ],
    ["OpenSanctions", "weir labels import entities.ftm.json --format opensanctions --out opensanctions.csv"],
    [
      "One address a line with an optional name, or a JSON array",
      `weir labels import own.txt --format address-list --kind blocked --name "Own list" --out own.csv`,
    ],
    [
      "JSON by address: a name, or an object with name and labels",
      "weir labels import tags.json --format explorer-labels --chain eth --out tags.csv",
    ],
    ["CSV with blockchain, address, cex_name", "weir labels import cex.csv --format cex-table --out exchanges.csv"],
    ["JSON by the Uniswap token list schema", "weir labels import tokens.json --format token-list --out tokens.csv"],
    ["CSV with chain, address, name, kind", "weir labels import rows.csv --format csv --out checked.csv"],
  ],
  statuses: {
    0: "Every row is a label.",
    1: "The command failed or was stopped.",
    2: "Weir refused some rows. Standard error names each with the cause.",
  },
  documents: ["docs/labels-and-lists.md", "docs/sanctions-lists.md"],
};

const labelCheckHelp: CommandHelp = {
  examples: [
    ["Look up an EVM address", "weir labels check 0xdAC17F958D2ee523a2206206994597C13D831ec7"],
    ["Use your own labels", "LABELS_FILES=own.csv weir labels check TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t --chain tron"],
  ],
  statuses: {
    0: "No label speaks against the address.",
    1: "The command failed.",
    2: "The address is malicious, sanctioned or blocked, or is a lookalike of a labelled address.",
  },
  documents: ["docs/labels-and-lists.md", "docs/lookalikes.md"],
};

/** Commands that look up one thing, or make a file for lookups: inspect and labels. */
export function addLookupCommands(program: Command, { env, signal }: RunContext): void {
  withHelp(program.command("inspect"), inspectHelp)
    .summary("report what a contract can do, from its bytecode")
    .description("Analyses the bytecode of EVM contracts and prints the findings. Needs no source code.")
    .argument("[address]", "Address of a contract, with --chain.")
    .option("--bytecode <file>", "File with hex code, or a folder of such files.")
    .option("--chain <id>", "Chain of the address, as a decimal id or a name.")
    .option("--timeout <ms>", "Longest time for one contract, in milliseconds.", wholeNumber, 2_000)
    .option("--json", "Print lines of JSON on a terminal too.")
    .option("--no-execute", "Only read the code, without a trial in the embedded EVM.")
    .action(async (address: string | undefined, flags: InspectFlags) => {
      const { inspect } = await import("../inspect/inspect.ts");
      process.exitCode = await inspect(flags, address, env, signal);
    });

  const labels = program
    .command("labels")
    .summary("make label files, and look an address up in them")
    .description("Makes label files, and looks an address up in them.");

  withHelp(labels.command("import"), importHelp)
    .summary("make a label file from a published list")
    .description("Makes a label file from a published list that you have downloaded under its licence.")
    .argument("<file>", "Published file, also gzipped; - is standard input.")
    .addOption(
      new Option("--format <format>", "Format of FILE. Without this flag, Weir detects it.").choices(labelFormatNames),
    )
    .option(
      "--chain <id>",
      "Chain of addresses without one: a decimal id, or a name such as eth, tron, solana or btc. evm means all EVM chains.",
    )
    .addOption(new Option("--kind <kind>", "Kind of addresses without one.").choices(addressKinds))
    .option("--name <name>", "Name of addresses without one.")
    .option("--comments <file>", "SDN_COMMENTS.CSV, which continues the remarks of SDN.CSV.")
    .option("--out <file>", "Label file to write. The file must not exist. (default: standard output)")
    .action(async (file: string, flags: ImportFlags) => {
      const { importLabels } = await import("../labels/import-labels.ts");
      process.exitCode = await importLabels(file, flags, signal);
    });

  withHelp(labels.command("check"), labelCheckHelp)
    .summary("look an address up in the labels")
    .description("Prints the labels of an address, and the labelled addresses that the address looks like.")
    .argument("<address>", "Address to look up.")
    .option("--chain <id>", "Chain of the address. (default: by the form of the address; Ethereum for 0x)")
    .action(async (address: string, { chain }: { chain?: string }) => {
      const { checkLabel } = await import("../labels/labels.ts");
      process.exitCode = await checkLabel(address, chain, env);
    });
}
