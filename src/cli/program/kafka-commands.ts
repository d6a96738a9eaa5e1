import type { Command } from "commander";
import type { AuditFlags } from "../audit/audit.ts";
import type { DoctorFlags } from "../doctor/doctor.ts";
import type { EnqueueFlags } from "../enqueue/enqueue.ts";
import type { ReplayFlags } from "../replay/replay.ts";
import type { RunContext } from "../terminal/run-context.ts";
import { QUOTA_MINUTES, QUOTA_REQUESTS } from "../wiring/quota/measurement-bounds.ts";
import { minutesOfADay, repeatable, wholeNumber, withInputOptions } from "./options.ts";

/** Commands about topics and the archive of a topic. */
export function addKafkaCommands(program: Command, { env, signal }: RunContext): void {
  program
    .command("doctor")
    .summary("check Kafka, its topics, the service, the nodes and the bucket, and say what to do")
    .description(
      "Reaches every broker of KAFKA_BROKERS and those that they advertise, looks at each topic that Weir reads or writes, " +
        "asks the service at SERVICE_URL one question of each operation that SERVICE_DIALECT leaves in and one about an imitation (eight requests at most, each of " +
        "which counts against the key's quota, spaced as SERVICE_QUOTA says) and compares the clocks, and sees whether S3_BUCKET takes an object once " +
        "(doctor/if-none-match.ndjson.gz, which stays). Every node in SOLANA_RPC_URL, TRON_RPC_URL and EVM_RPC_URLS is asked which " +
        "network it is of, and named by its host. What is not set is skipped, and said to be. Prints a line a check. No topic is created without --create. " +
        "With --quota it does nothing but find out how many requests the key may make, by using them up: no broker is needed. " +
        "It says beforehand how many requests that takes at most, and how long. With the defaults 600/min is found, whether it " +
        "counts fixed windows, sliding ones or tokens; a quota of more than some minutes is not, and is said to be closed. " +
        "When it is stopped it says what it knows so far, and keeps nothing.\n" +
        "Exit status: 0 nothing failed, 1 something did, or the quota was not found out.",
    )
    .option("--create", "create the topics that do not exist")
    .option("--partitions <n>", "partitions of a topic that is created", wholeNumber, 6)
    .option(
      "--replication <n>",
      "replicas of a topic that is created (default: 3, or as many as there are brokers)",
      wholeNumber,
    )
    .option(
      "--quota [requests]",
      `measure the key's quota, with so many requests at most (default: ${QUOTA_REQUESTS})`,
      wholeNumber,
    )
    .option(
      "--quota-minutes <n>",
      `give that up after so many minutes, at most 1440 (default: ${QUOTA_MINUTES})`,
      minutesOfADay,
    )
    .action(async ({ quota, ...others }: Omit<DoctorFlags, "quota"> & { readonly quota?: number | true }) => {
      const flags: DoctorFlags =
        quota === undefined ? others : { ...others, quota: quota === true ? QUOTA_REQUESTS : quota };
      const { doctor } = await import("../doctor/doctor.ts");
      process.exitCode = await doctor(flags, env, signal);
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
      const { worker } = await import("../worker/worker.ts");
      // A hanging Kafka client must not keep a finished process alive.
      process.exit(await worker(env, signal));
    });

  withInputOptions(
    program
      .command("enqueue")
      .summary("write a file of events to the backfill topic")
      .description(
        "Writes every event of FILE (or of standard input, as -) to the first topic of TOPICS_BACKFILL, for weir worker. " +
          "FILE is as in weir screen. An event without an id gets FILE/LINE as its id, so that one that is sent twice has one " +
          "verdict. Lines that are no events are sent as they are and become UNKNOWN. A run that was stopped or killed goes on " +
          "when it is given the same FILE: how far it came stands in FILE.enqueued.json. Standard input has no such file.\n" +
          "Exit status: 0 every line is in the topic, 2 some lines are no events, or lines at the end of FILE wait (see --finished), 1 the run failed or was stopped.",
      )
      .argument("<file>", "file of events, or - for standard input")
      .option("--topic <topic>", "another one of TOPICS_BACKFILL or TOPICS_REALTIME")
      .option("--rate <rate>", "no faster than this, such as 1000/s or 600/min")
      .option("--state <file>", "where it stands how far a run came (default: FILE.enqueued.json)"),
  ).action(async (file: string, flags: EnqueueFlags) => {
    const { enqueue } = await import("../enqueue/enqueue.ts");
    process.exit(await enqueue(file, flags, env, signal));
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
    .addOption(repeatable("--reason <code>", "letters with one of these reasons, comma-separated (may be repeated)"))
    .option("--since <time>", "letters of that time or later")
    .option("--until <time>", "letters before that time")
    .option("--tenant <tenant>", "letters on this tenant's events")
    .option("--all", "begin with the first letter that is there")
    .option("--run", "do it")
    .action(async (flags: ReplayFlags) => {
      const { replay } = await import("../replay/replay.ts");
      process.exit(await replay(flags, env, signal));
    });

  program
    .command("archive")
    .summary("archive verdicts to S3")
    .description(
      "Writes TOPIC_VERDICTS to S3_BUCKET, object by object, until it is stopped. A worker with S3_BUCKET does so itself. " +
        "While S3 is away it waits, and goes on from what it has committed. Exit status as that of weir worker.",
    )
    .action(async () => {
      const { archive } = await import("../archive/archive.ts");
      process.exit(await archive(env, signal));
    });

  program
    .command("audit")
    .summary("look whether the archive is whole")
    .description(
      "Reads every object of TOPIC_VERDICTS in S3_BUCKET, or with --dir those that weir screen wrote: that they follow one another without gap or overlap, that no other " +
        "keys lie among them, that each holds what it says and names all that the one before it says, and that each verdict " +
        "is what its own evidence gives under the policy that made it: POLICY_FILE lists the old files, too. With " +
        "KAFKA_BROKERS, also that they hold what the topic holds, as far as it is kept, that the last one is the one whose " +
        "hash the archive's group committed, and that nothing is missing at the end. With S3_OBJECT_LOCK_DAYS, also that " +
        "nothing was put twice or deleted, by the versions of the bucket. With --dir they are compared with DIR/verdicts.ndjson, " +
        "and of the variables only POLICY_FILE is read: while its run goes on, what is in no object yet is told as missing. " +
        "Changes nothing; workers and archives may run meanwhile. Prints a line a finding: its name, its object or partition, and how it shows. docs/runbook.md " +
        "says what to do.\n" +
        "Exit status: 0 nothing found, 2 something found, or nothing archived at all, 1 the audit failed: the store or the " +
        "brokers did not answer, and nothing is taken for missing.",
    )
    .option("--dir <dir>", "folder that weir screen wrote to (its --out), in place of a bucket")
    .action(async (flags: AuditFlags) => {
      const { audit } = await import("../audit/audit.ts");
      // A hanging Kafka client must not keep a finished process alive.
      process.exit(await audit(flags, env, signal));
    });

  program
    .command("health")
    .summary("ask whether the Weir on this machine lives")
    .description(
      "Asks /livez at ADMIN_HOST:ADMIN_PORT, as a worker and an archive have it, and otherwise at HOST:PORT, as a service " +
        "does. For the health check of a container. Exit status: 0 it lives, 1 it does not, or nobody answers.",
    )
    .action(async () => {
      const { health } = await import("./health.ts");
      process.exit(await health(env));
    });
}
