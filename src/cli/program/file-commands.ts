import { type Command, InvalidArgumentError } from "commander";
import type { PlanFlags } from "../estimate/plan.ts";
import { holdYoungBack } from "../screen/node-memory.ts";
import type { ScreenFlags } from "../screen/screen.ts";
import type { RunContext } from "../terminal/run-context.ts";
import { withInputOptions } from "./options.ts";

const price = (text: string): number => {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw new InvalidArgumentError("It must be a number such as 0.001.");
  return Number(text);
};

/** Commands over a file of events: screen and plan. */
export function addFileCommands(program: Command, { env, signal }: RunContext): void {
  // Registered before the hook of every command, which loads most of the code.
  program.hook("preAction", (_, called) => {
    if (called.name() === "screen") holdYoungBack();
  });

  withInputOptions(
    program
      .command("screen")
      .summary("screen a file of events or addresses")
      .description(
        "Screens every event of FILE (or of standard input, as -) and writes DIR/verdicts.ndjson and DIR/archive. " +
          "FILE is NDJSON, CSV with a header, or one address a line (then --chain is needed); .gz is unpacked. " +
          "A run that was stopped goes on when it is given the same FILE and DIR. " +
          "Asks the service at SERVICE_URL (with SERVICE_API_KEY), or one of its own when that is not set. " +
          "Every event is held against the lists that LISTS_FILES names. " +
          "FILE may still grow: a last line without line end, or a row whose quoted cell is not closed, waits for a later run. " +
          "--finished says that nothing more comes.\n" +
          "Example: weir screen payments.csv --out day each hour, and weir screen payments.csv --out day --finished at the end of the day.\n" +
          "Exit status: 0 clean, 2 some events could not be screened or lines at the end wait, 1 the run or the service failed.",
      )
      .argument("<file>", "file of events, or - for standard input")
      .option("--out <dir>", "where verdicts and archive go", "weir-out"),
  )
    .option("--show", "print every verdict that is not ALLOW, with its reasons")
    .action(async (file: string, flags: ScreenFlags) => {
      const { screen } = await import("../screen/screen.ts");
      process.exitCode = await screen(file, flags, env, signal);
    });

  withInputOptions(
    program
      .command("plan")
      .summary("say what screening a file or a topic's lag would ask, take and cost")
      .description(
        "Reads FILE as weir screen does and counts: different questions, the requests that they are packed into, their time " +
          "at the quota, their cost, what they come to if the service flags all that it is asked about in company, and if nothing can be pooled, " +
          "and what each check that the policy does not ask for would add. Sends nothing to the service. " +
          "FILE is planned with the bounds of weir screen, and a topic with those of one weir worker that does all of it. " +
          "The quota is that of --quota, else SERVICE_QUOTA, else what was learned (SERVICE_QUOTA_FILE, or quota.json in DIR), " +
          "unless SERVICE_URL and SERVICE_API_KEY say that it was with another key. " +
          "Names the lists of LISTS_FILES that events would be held against.\n" +
          "Exit status: 0 all of it is planned, 2 lines at the end of FILE may still grow and are not (see --finished), 1 it failed.",
      )
      .argument("[file]", "file of events, or - for standard input")
      .option("--topic <topic>", "what KAFKA_GROUP_ID has not settled of this topic, in place of a file")
      .option("--quota <quota>", "requests that the key may make, such as 50/1s, 600/1min, 5000/1h or 100000/1d")
      .option("--price <price>", "what a request costs", price)
      .option("--out <dir>", "directory of an earlier run, whose quota was learned", "weir-out")
      .option("--json", "an object of JSON"),
  ).action(async (file: string | undefined, flags: PlanFlags) => {
    const { plan } = await import("../estimate/plan.ts");
    const status = await plan(file, flags, env, signal);
    // A hanging Kafka client must not keep a finished process alive.
    if (flags.topic !== undefined) process.exit(status);
    process.exitCode = status;
  });
}
