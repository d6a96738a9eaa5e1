import { Command, InvalidArgumentError, Option } from "commander";
import { labelFormats } from "../adapters/files/label-formats.ts";
import { formats } from "../adapters/files/records.ts";
import { AppError, toError } from "../kernel/errors.ts";
import type { DoctorFlags } from "./commands/doctor.ts";
import type { EnqueueFlags } from "./commands/enqueue.ts";
import type { InspectFlags } from "./commands/inspect.ts";
import type { ImportFlags } from "./commands/labels.ts";
import type { PlanFlags } from "./commands/plan.ts";
import type { ReplayFlags } from "./commands/replay.ts";
import type { ScreenFlags } from "./commands/screen.ts";
import { version } from "./package-root.ts";

/** The composition root: the only place that reads the environment, takes signals and sets the exit status. */
const stopped = new AbortController();
const env = process.env;

const collect = (value: string, earlier: readonly string[]) => [...earlier, ...value.split(",")];

/** A service that fails stops a run, and nothing that it failed is settled. */
function messageOf(error: AppError): string {
  if (error.code !== "SERVICE_DOWN") return error.message;
  const remedy = error.message.includes("API key")
    ? "check SERVICE_API_KEY or SERVICE_API_KEY_FILE"
    : "see that the service runs and is reached";
  return `stopped: ${error.message}: ${remedy}; the same command goes on where it stopped`;
}

/** What a process that has failed may still do. */
const LINGER_MS = 5_000;

/** Each command is loaded when it is called: a run that screens has no use for a server in its memory. */
const program = new Command("weir")
  .description("Screens blockchain addresses and transactions: events in, verdicts out.")
  .version(version)
  .showHelpAfterError("(add --help for what this command takes)")
  .configureHelp({ showGlobalOptions: true });

program
  .command("screen")
  .summary("screen a file of events or addresses")
  .description(
    "Screens every event of FILE (or of standard input, as -) and writes DIR/verdicts.ndjson and DIR/archive. " +
      "FILE is NDJSON, CSV with a header, or one address a line (then --chain is needed); .gz is unpacked. " +
      "A run that was stopped goes on when it is given the same FILE and DIR. " +
      "Asks the service at SERVICE_URL (with SERVICE_API_KEY), or one of its own when that is not set.\n" +
      "Exit status: 0 clean, 2 some events could not be screened, 1 the run or the service failed.",
  )
  .argument("<file>", "file of events, or - for standard input")
  .option("--out <dir>", "where verdicts and archive go", "weir-out")
  .addOption(new Option("--format <format>", "instead of telling it from the file").choices(formats))
  .option("--chain <id>", "chain of addresses that name none: decimal id, or eth, tron, solana, btc, ...")
  .option("--user <address>", "address that the user of a bare list knows (may be repeated)", collect, [])
  .option("--token <address>", "token contract that a bare list's addresses deal in")
  .option("--show", "print every verdict that is not ALLOW, with its reasons")
  .action(async (file: string, flags: ScreenFlags) => {
    const { screen } = await import("./commands/screen.ts");
    process.exitCode = await screen(file, flags, env, stopped.signal);
  });

const price = (text: string): number => {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw new InvalidArgumentError("It must be a number such as 0.001.");
  return Number(text);
};

program
  .command("plan")
  .summary("say what screening a file or a topic's lag would ask, take and cost")
  .description(
    "Reads FILE as weir screen does and counts: different questions, the requests that they are packed into, their time " +
      "at the quota, their cost, and what each check that the policy does not ask for would add. Sends nothing to the service. " +
      "The quota is that of --quota, else SERVICE_QUOTA, else what was learned (SERVICE_QUOTA_FILE, or quota.json in DIR).",
  )
  .argument("[file]", "file of events, or - for standard input")
  .option("--topic <topic>", "what KAFKA_GROUP_ID has not settled of this topic, in place of a file")
  .option("--quota <quota>", "requests that the key may make, such as 50/1s or 600/1min")
  .option("--price <price>", "what a request costs", price)
  .option("--out <dir>", "directory of an earlier run, whose quota was learned", "weir-out")
  .option("--json", "an object of JSON")
  .addOption(new Option("--format <format>", "instead of telling it from the file").choices(formats))
  .option("--chain <id>", "chain of addresses that name none: decimal id, or eth, tron, solana, btc, ...")
  .option("--user <address>", "address that the user of a bare list knows (may be repeated)", collect, [])
  .option("--token <address>", "token contract that a bare list's addresses deal in")
  .action(async (file: string | undefined, flags: PlanFlags) => {
    const { plan } = await import("./commands/plan.ts");
    const status = await plan(file, flags, env, stopped.signal);
    // A client of Kafka's that hangs must not keep a process that has ended.
    if (flags.topic !== undefined) process.exit(status);
    process.exitCode = status;
  });

program
  .command("serve")
  .summary("run the security service")
  .description(
    "Serves the security and simulation API on HOST:PORT until it is stopped. Needs a key: SERVICE_API_KEYS or " +
      "SERVICE_API_KEYS_FILE. LABELS_FILES adds known addresses. The README lists every variable.",
  )
  .action(async () => {
    process.once("disconnect", () => stopped.abort());
    const { serve } = await import("./commands/serve.ts");
    await serve(env, stopped.signal, (listening) => process.send?.({ listening }));
  });

const wholeNumber = (text: string): number => {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1 to 99999.");
  return Number(text);
};

program
  .command("doctor")
  .summary("check Kafka, its topics, the service, the nodes and the bucket, and say what to do")
  .description(
    "Reaches every broker of KAFKA_BROKERS and those that they advertise, looks at each topic that Weir reads or writes, " +
      "asks the service at SERVICE_URL one question and compares the clocks, and sees whether S3_BUCKET takes an object once " +
      "(doctor/if-none-match.ndjson.gz, which stays). Every node in SOLANA_RPC_URL, TRON_RPC_URL and EVM_RPC_URLS is asked which " +
      "network it is of, and named by its host. Prints a line a check. No topic is created without --create. " +
      "With --quota it does nothing but find out how many requests the key may make, by using them up: no broker is needed. " +
      "It says beforehand how many requests that takes at most.\n" +
      "Exit status: 0 nothing failed, 1 something did, or the quota was not found out.",
  )
  .option("--create", "create the topics that do not exist")
  .option("--partitions <n>", "partitions of a topic that is created", wholeNumber, 6)
  .option(
    "--replication <n>",
    "replicas of a topic that is created (default: 3, or as many as there are brokers)",
    wholeNumber,
  )
  .option("--quota [requests]", "measure the key's quota, with so many requests at most (default: 3000)", wholeNumber)
  .action(async ({ quota, ...others }: Omit<DoctorFlags, "quota"> & { readonly quota?: number | true }) => {
    const flags: DoctorFlags = quota === undefined ? others : { ...others, quota: quota === true ? 3_000 : quota };
    const { doctor } = await import("./commands/doctor.ts");
    process.exitCode = await doctor(flags, env, stopped.signal);
  });

program
  .command("worker")
  .summary("screen events from Kafka")
  .description(
    "Reads events from TOPICS_REALTIME and TOPICS_BACKFILL, asks the service at SERVICE_URL, and writes verdicts to " +
      "TOPIC_VERDICTS until it is stopped. What cannot be answered yet waits in the retry topics; what cannot be answered " +
      "at all goes to TOPIC_DEAD_LETTERS. Topics are checked at the start and never created: see weir doctor --create.\n" +
      "Exit status: 0 stopped in good order, 3 the consumer died, 4 nothing moved any more, 1 anything else.",
  )
  .action(async () => {
    const { worker } = await import("./commands/worker.ts");
    // A client of Kafka's that hangs must not keep a process that has ended.
    process.exit(await worker(env, stopped.signal));
  });

program
  .command("enqueue")
  .summary("write a file of events to the backfill topic")
  .description(
    "Writes every event of FILE (or of standard input, as -) to the first topic of TOPICS_BACKFILL, for weir worker. " +
      "FILE is as in weir screen. An event without an id gets FILE/LINE as its id, so that one that is sent twice has one " +
      "verdict. Lines that are no events are sent as they are and become UNKNOWN. A run that was stopped or killed goes on " +
      "when it is given the same FILE: how far it came stands in FILE.enqueued.json. Standard input has no such file.\n" +
      "Exit status: 0 every line is in the topic, 2 so it is and some lines are no events, 1 the run failed or was stopped.",
  )
  .argument("<file>", "file of events, or - for standard input")
  .option("--topic <topic>", "another one of TOPICS_BACKFILL or TOPICS_REALTIME")
  .option("--rate <rate>", "no faster than this, such as 1000/s or 600/min")
  .option("--state <file>", "where it stands how far a run came (default: FILE.enqueued.json)")
  .addOption(new Option("--format <format>", "instead of telling it from the file").choices(formats))
  .option("--chain <id>", "chain of addresses that name none: decimal id, or eth, tron, solana, btc, ...")
  .option("--user <address>", "address that the user of a bare list knows (may be repeated)", collect, [])
  .option("--token <address>", "token contract that a bare list's addresses deal in")
  .action(async (file: string, flags: EnqueueFlags) => {
    const { enqueue } = await import("./commands/enqueue.ts");
    process.exit(await enqueue(file, flags, env, stopped.signal));
  });

program
  .command("replay")
  .summary("ask again about the events of dead letters")
  .description(
    "Puts dead letters back as tickets on the first retry topic: weir worker asks about their events again, and the answer " +
      "is the next revision of the same verdict. Of several letters on one verdict the newest counts. Without --run it only " +
      "says what it would replay and what it would skip, and why. What lies in the event itself, such as EVENT_MALFORMED, " +
      "is skipped unless --reason names it. " +
      "It begins where the last complete replay ended, and ends with the letters that are there when it starts.\n" +
      "TIME is 2026-01-31T08:00:00Z, 2026-01-31, or how long ago: 30min, 2h, 7d.\n" +
      "Exit status: 0 done, 1 failed or stopped; then the same command begins anew, which gives no verdict a second id.",
  )
  .option("--reason <code>", "letters with one of these reasons, comma-separated (may be repeated)", collect, [])
  .option("--since <time>", "letters of that time or later")
  .option("--until <time>", "letters before that time")
  .option("--tenant <tenant>", "letters on this tenant's events")
  .option("--all", "begin with the first letter that is there")
  .option("--run", "do it")
  .action(async (flags: ReplayFlags) => {
    const { replay } = await import("./commands/replay.ts");
    process.exit(await replay(flags, env, stopped.signal));
  });

program
  .command("archive")
  .summary("archive verdicts to S3")
  .description(
    "Writes TOPIC_VERDICTS to S3_BUCKET, object by object, until it is stopped. A worker with S3_BUCKET does so itself. " +
      "While S3 is away it waits, and goes on from what it has committed. Exit status as that of weir worker.",
  )
  .action(async () => {
    const { archive } = await import("./commands/archive.ts");
    process.exit(await archive(env, stopped.signal));
  });

program
  .command("audit")
  .summary("look whether the archive is whole")
  .description(
    "Reads every object of TOPIC_VERDICTS in S3_BUCKET: that they follow one another without gap or overlap, that no other " +
      "keys lie among them, that each holds what it says and names all that the one before it says, and that each verdict " +
      "is what its own evidence gives under the policy that made it: POLICY_FILE lists the old files, too. With " +
      "KAFKA_BROKERS, also that they hold what the topic holds, as far as it is kept, that the last one is the one whose " +
      "hash the archive's group committed, and that nothing is missing at the end. With S3_OBJECT_LOCK_DAYS, also that " +
      "nothing was put twice or deleted, by the versions of the bucket. Changes nothing; workers and archives may run " +
      "meanwhile. Prints a line a finding: its name, its object or partition, and how it shows. docs/runbook.md " +
      "says what to do.\n" +
      "Exit status: 0 nothing found, 2 something found, or nothing archived at all, 1 the audit failed: the store or the " +
      "brokers did not answer, and nothing is taken for missing.",
  )
  .action(async () => {
    const { audit } = await import("./commands/audit.ts");
    // A client of Kafka's that hangs must not keep a process that has ended.
    process.exit(await audit(env, stopped.signal));
  });

program
  .command("health")
  .summary("ask whether the Weir on this machine lives")
  .description(
    "Asks /livez at ADMIN_HOST:ADMIN_PORT, as a worker and an archive have it, and otherwise at HOST:PORT, as a service " +
      "does. For the health check of a container. Exit status: 0 it lives, 1 it does not, or nobody answers.",
  )
  .action(async () => {
    const { health } = await import("./commands/health.ts");
    process.exit(await health(env));
  });

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
    const { inspect } = await import("./commands/inspect.ts");
    process.exitCode = await inspect(flags, address, env, stopped.signal);
  });

const labels = program.command("labels").summary("make label files, and look an address up in them");

labels
  .command("import")
  .summary("make a label file of what others publish")
  .description(
    "Reads FILE, checks every row as LABELS_FILES are checked, and writes those that are labels, as CSV. What was refused, " +
      "and why, is told on standard error. Nothing is fetched: get the file yourself, and mind its licence. " +
      "explorer-labels: JSON by address, a name or {name, labels}. cex-table: CSV with blockchain, address, cex_name. " +
      "address-list: one address a line, or a JSON array, as lists of sanctioned addresses are. token-list: JSON by the " +
      "Uniswap schema. csv: chain, address, name, kind.\n" +
      "Exit status: 0 clean, 2 some rows were refused, 1 failed.",
  )
  .argument("<file>", "what was published")
  .addOption(
    new Option("--format <format>", "how it is written").choices(Object.keys(labelFormats)).makeOptionMandatory(),
  )
  .option("--chain <id>", "chain of addresses that name none: decimal id, or eth, tron, solana, btc, ...")
  .option("--kind <kind>", "kind of rows that name none: exchange, bridge, protocol, token, sanctioned, malicious")
  .option("--name <name>", "name of rows that have none")
  .option("--out <file>", "where the label file goes; it must not be there yet (default: standard output)")
  .action(async (file: string, flags: ImportFlags) => {
    const { importLabels } = await import("./commands/labels.ts");
    process.exitCode = await importLabels(file, flags);
  });

labels
  .command("check")
  .summary("say what an address is, or resembles")
  .description(
    "Looks ADDRESS up in the bundled labels and LABELS_FILES, and says what is known of it and what it could be taken for.\n" +
      "Exit status: 0 nothing against it, 2 it is malicious, sanctioned, or resembles what it is not, 1 failed.",
  )
  .argument("<address>", "address to look up")
  .option("--chain <id>", "its chain (default: by its form; Ethereum for 0x)")
  .action(async (address: string, { chain }: { chain?: string }) => {
    const { checkLabel } = await import("./commands/labels.ts");
    process.exitCode = await checkLabel(address, chain, env);
  });

program
  .command("demo")
  .summary("screen the events that ship with Weir and show what comes out")
  .option("--out <dir>", "where verdicts and archive go", "weir-demo")
  .action(async ({ out }: { out: string }) => {
    const { demo } = await import("./commands/demo.ts");
    process.exitCode = await demo(out, env, stopped.signal);
  });

// The service that a run starts for itself has its variables from that run, which has said so.
program.hook("preAction", async () => {
  if (process.connected) return;
  const { strayVariables } = await import("./stray-variables.ts");
  const { variableNames } = await import("./env-table.ts");
  for (const line of strayVariables(Object.keys(env), variableNames())) process.stderr.write(`weir: ${line}\n`);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    stopped.abort();
    // A run that waits for its input would not see the abort.
    process.stdin.destroy();
    // A second signal ends the process at once.
    process.once(signal, () => process.exit(1));
  });
}
// A reader that went away (weir ... | head) is no reason for a stack trace.
process.stdout.on("error", () => process.exit(1));

try {
  await program.parseAsync();
} catch (thrown) {
  if (stopped.signal.aborted) {
    process.stderr.write("weir: stopped; the same command goes on where it stopped\n");
  } else {
    const error = toError(thrown);
    process.stderr.write(`weir: ${error instanceof AppError ? messageOf(error) : (error.stack ?? error.message)}\n`);
  }
  process.exitCode = 1;
}
// An open channel to a parent would keep an ended service alive.
if (process.connected) process.disconnect();
// A connection that hangs must not keep a process that has failed.
if (process.exitCode === 1) setTimeout(() => process.exit(), LINGER_MS).unref();
