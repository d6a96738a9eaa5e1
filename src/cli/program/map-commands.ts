import type { Command } from "commander";
import type { FileFlags } from "../terminal/input-options.ts";
import { type CommandHelp, withHelp } from "./command-help.ts";
import { withInputOptions } from "./options.ts";

const failed = "The mapping or the file cannot be read.";

const checkHelp: CommandHelp = {
  examples: [
    ["Show what a preset makes of an export", "weir map check export.csv --preset etherscan --wallet 0x1e22...8fd5"],
    ["Check a mapping of your own", "weir map check withdrawals.csv --map withdrawals.yaml"],
  ],
  statuses: { 0: "Every row gives an event.", 1: failed, 2: "Some rows give no event." },
  documents: ["docs/mapping.md", "docs/input.md"],
};

const suggestHelp: CommandHelp = {
  examples: [["Begin a mapping", "weir map suggest withdrawals.csv > withdrawals.yaml"]],
  statuses: { 0: "The mapping is printed.", 1: "The file cannot be read." },
  documents: ["docs/mapping.md"],
};

const listHelp: CommandHelp = {
  examples: [["List the presets", "weir map list"]],
  statuses: { 0: "The presets are listed." },
  documents: ["docs/mapping.md"],
};

const showHelp: CommandHelp = {
  examples: [["Copy a preset to change it", "weir map show dune > dune-of-mine.yaml"]],
  statuses: { 0: "The preset is printed.", 1: "There is no such preset." },
  documents: ["docs/mapping.md"],
};

/** Commands for mappings of files and topics. */
export function addMapCommands(program: Command): void {
  const map = program
    .command("map")
    .summary("map other columns and fields to those of an event")
    .description("Lists, shows, checks and suggests mappings of columns and fields to those of an event.");

  withHelp(map.command("list"), listHelp)
    .summary("list the bundled mappings")
    .description("Lists the mappings that ship with Weir, for --preset and EVENT_MAP.")
    .action(async () => {
      const { listPresets } = await import("../map/list-presets.ts");
      process.exitCode = await listPresets();
    });

  withHelp(map.command("show"), showHelp)
    .summary("print a bundled mapping")
    .description("Prints a bundled mapping as YAML, to copy and change.")
    .argument("<preset>", "Name of the mapping, from weir map list.")
    .action(async (preset: string) => {
      const { showPreset } = await import("../map/list-presets.ts");
      process.exitCode = await showPreset(preset);
    });

  const check = map
    .command("check")
    .summary("show the rows of a file before and after a mapping")
    .description(
      "Prints the first ten rows of a file before and after a mapping, and counts the rows without an event.",
    )
    .argument("<file>", "File of events, as for weir screen.");
  withHelp(withInputOptions(check), checkHelp).action(async (file: string, flags: FileFlags) => {
    const { checkMapping } = await import("../map/check-mapping.ts");
    process.exitCode = await checkMapping(file, flags);
  });

  withHelp(map.command("suggest"), suggestHelp)
    .summary("print a mapping to start from")
    .description(
      "Prints a mapping to start from, by the names in the first line of a file, and names presets that fit.",
    )
    .argument("<file>", "CSV with a header, or one JSON object a line, also gzipped.")
    .action(async (file: string) => {
      const { suggest } = await import("../map/suggest.ts");
      process.exitCode = await suggest(file);
    });
}
