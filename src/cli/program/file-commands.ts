import { type Command, InvalidArgumentError } from "commander";
import type { PlanFlags } from "../estimate/plan.ts";
import { holdYoungBack } from "../screen/node-memory.ts";
import type { ScreenFlags } from "../screen/screen.ts";
import type { RunContext } from "../terminal/run-context.ts";
import { type CommandHelp, withHelp } from "./command-help.ts";
import { noColorOption, quietOption, withInputOptions } from "./options.ts";

const price = (text: string): number => {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw new InvalidArgumentError("The value must be a number such as 0.001.");
  return Number(text);
};

const screenHelp: CommandHelp = {
  examples: [
    ["Screen a CSV file with a service that Weir starts itself", "weir screen payments.csv --out day"],
    ["Screen a bare list of addresses and print all verdicts but ALLOW", "weir screen list.txt --chain eth --show"],
    ["Screen a file and make a report for people", "weir screen payments.csv --out day --report"],
    ["Ask your own service", "SERVICE_URL=https://security.example SERVICE_API_KEY_FILE=key weir screen payments.csv"],
    ["Screen the rest of a file that was still growing", "weir screen payments.csv --out day --finished"],
  ],
  statuses: {
    0: "Every event has a verdict.",
    1: "The run or the service failed. The same command continues the run.",
    2: "Some events have an UNKNOWN verdict because their screening failed, or lines at the end of FILE wait for more.",
  },
  note: "With SERVICE_URL, SERVICE_QUOTA and KAFKA_BROKERS, the command also reads the Kafka settings of weir worker.",
  documents: ["docs/input.md", "docs/verdicts.md", "docs/configuration.md"],
};

const planHelp: CommandHelp = {
  examples: [
    ["Count the requests that a file needs", "weir plan payments.csv"],
    ["State the time and the price at a quota", "weir plan payments.csv --quota 50/1s --price 0.001"],
    ["Estimate the backlog of a topic", "KAFKA_BROKERS=kafka:9092 weir plan --topic screening.backfill"],
  ],
  statuses: {
    0: "The estimate covers every event.",
    1: "The estimate failed.",
    2: "Lines at the end of FILE may still grow, and the estimate leaves them out. See --finished.",
  },
  note: "With --topic, the command reads the settings of weir worker. Without --quota and SERVICE_QUOTA, the estimate uses the quota that an earlier run learned.",
  documents: ["docs/input.md", "docs/rate-limits.md"],
};

/** Commands over a file of events: screen and plan. */
export function addFileCommands(program: Command, { env, signal }: RunContext): void {
  // Registered before the hook of every command, which loads most of the code.
  program.hook("preAction", (_, called) => {
    if (called.name() === "screen") holdYoungBack();
  });

  const screen = program
    .command("screen")
    .summary("screen a file of events or addresses")
    .description("Screens every event of a file and writes a verdict for each to a folder.")
    .argument("<file>", "NDJSON, CSV with a header, or one address a line, also gzipped; - is standard input.")
    .option("--out <dir>", "Folder for verdicts.ndjson and the archive.", "weir-out");
  withHelp(withInputOptions(screen), screenHelp)
    .option("--show", "Print every verdict that is not ALLOW, with its reasons.")
    .option("--report", "Make report.html, report.csv and report.xlsx in the folder when the run ends.")
    .addOption(quietOption())
    .addOption(noColorOption())
    .action(async (file: string, flags: ScreenFlags) => {
      const { screen } = await import("../screen/screen.ts");
      process.exitCode = await screen(file, flags, env, signal);
    });

  const plan = program
    .command("plan")
    .summary("estimate the requests, the time and the price of screening")
    .description("Estimates the requests, the time and the price of screening, without a request to the service.")
    .argument("[file]", "File of events, as for weir screen; - is standard input.")
    .option(
      "--topic <topic>",
      "Estimate the events of this topic that KAFKA_GROUP_ID has not completed, in place of FILE.",
    )
    .option("--quota <quota>", "Requests that the key may make, such as 50/1s, 600/1min, 5000/1h or 100000/1d.")
    .option("--price <price>", "Price of one request.", price)
    .option("--out <dir>", "Folder of an earlier run that learned the quota.", "weir-out")
    .option("--json", "Print the estimate as one JSON object.");
  withHelp(withInputOptions(plan), planHelp).action(async (file: string | undefined, flags: PlanFlags) => {
    const { plan } = await import("../estimate/plan.ts");
    const status = await plan(file, flags, env, signal);
    // A hanging Kafka client must not keep a finished process alive.
    if (flags.topic !== undefined) process.exit(status);
    process.exitCode = status;
  });
}
