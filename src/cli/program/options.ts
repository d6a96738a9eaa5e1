import { type Command, InvalidArgumentError, Option } from "commander";
import { formats } from "../../adapters/files/input/format.ts";

/** Options of all commands with a file of events as input, in the order of their help. */
export function withInputOptions(command: Command): Command {
  return command
    .addOption(new Option("--format <format>", "instead of telling it from the file").choices(formats))
    .option("--chain <id>", "chain of addresses that name none: decimal id, or eth, tron, solana, btc, ...")
    .addOption(repeatable("--user <address>", "address that the user of a bare list knows (may be repeated)"))
    .option("--token <address>", "token contract that a bare list's addresses deal in")
    .addOption(
      new Option("--ignore <column>", "column of a CSV that is left out, whatever it holds (may be repeated)")
        .argParser<readonly string[]>((value, earlier) => [...earlier, value])
        .default([], "none"),
    )
    .option("--finished", "nothing more comes in FILE: its last line is whole, though it has no line end");
}

/** An option that may be repeated, or hold several values between commas. */
export const repeatable = (flags: string, description: string) =>
  new Option(flags, description)
    .argParser<readonly string[]>((value, earlier) => [...earlier, ...value.split(",")])
    .default([], "none");

export const wholeNumber = (text: string): number => {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1 to 99999.");
  return Number(text);
};

/** Whole minutes up to a day: a timer of more than 24 days fires at once. */
export const minutesOfADay = (text: string): number => {
  const minutes = wholeNumber(text);
  if (minutes > 1_440) throw new InvalidArgumentError("It must be at most 1440.");
  return minutes;
};
