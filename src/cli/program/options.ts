import { type Command, InvalidArgumentError, Option } from "commander";
import { formats } from "../../adapters/files/input/format.ts";

/** Options of all commands with a file of events as input, in the order of their help. */
export function withInputOptions(command: Command): Command {
  return command
    .addOption(new Option("--format <format>", "Format of FILE. Without this flag, Weir detects it.").choices(formats))
    .option("--chain <id>", "Chain of addresses without one: a decimal id, or a name such as eth, tron, solana or btc.")
    .addOption(repeatable("--user <address>", "Address that the user knows, for a bare list. May be repeated."))
    .option("--token <address>", "Token contract of the payments, for a bare list.")
    .addOption(
      new Option("--ignore <column>", "CSV column that Weir does not read. May be repeated.")
        .argParser<readonly string[]>((value, earlier) => [...earlier, value])
        .default([], "none"),
    )
    .option("--map <file>", "YAML or JSON file that maps the columns or fields of FILE to those of an event.")
    .option("--preset <name>", "Bundled mapping, such as etherscan, tronscan or fireblocks. See weir map list.")
    .addOption(repeatable("--wallet <address>", "Wallet that the export is about. May be repeated."))
    .option("--keep-columns", "Repeat the cells of each CSV row in the ref of its verdict.")
    .option("--finished", "FILE no longer grows, so its last line is complete even without a line end.");
}

/** An option that may be repeated, or hold several values between commas. */
export const repeatable = (flags: string, description: string) =>
  new Option(flags, description)
    .argParser<readonly string[]>((value, earlier) => [...earlier, ...value.split(",")])
    .default([], "none");

export const wholeNumber = (text: string): number => {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("The value must be a whole number from 1 to 99999.");
  return Number(text);
};

/** Whole minutes up to a day: a timer of more than 24 days fires at once. */
export const minutesOfADay = (text: string): number => {
  const minutes = wholeNumber(text);
  if (minutes > 1_440) throw new InvalidArgumentError("The value must be at most 1440.");
  return minutes;
};

export const quietOption = () => new Option("--quiet", "Print no progress.");

export const noColorOption = () => new Option("--no-color", "Print without colours, as NO_COLOR does.");
