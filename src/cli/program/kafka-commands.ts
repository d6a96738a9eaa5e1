import type { Command } from "commander";
import type { AuditFlags } from "../audit/audit.ts";
import type { EnqueueFlags } from "../enqueue/enqueue.ts";
import type { ReplayFlags } from "../replay/replay.ts";
import type { RunContext } from "../terminal/run-context.ts";
import { type CommandHelp, withHelp } from "./command-help.ts";
import { quietOption, repeatable, withInputOptions } from "./options.ts";

const workerHelp: CommandHelp = {
  examples: [
    [
      "Screen the events of a cluster",
      "KAFKA_BROKERS=kafka:9092 SERVICE_URL=https://security.example SERVICE_API_KEY_FILE=key weir worker",
    ],
    ["Read the settings from a file", "weir worker --config weir.yaml"],
  ],
  statuses: {
    0: "A signal stopped the worker, and the worker ended in good order.",
    1: "A setting is wrong, a topic is missing, or another failure ended the worker.",
    3: "The Kafka consumer died.",
    4: "No event made progress any more.",
  },
  needs: ["SERVICE_URL"],
  documents: ["docs/kafka.md", "docs/configuration.md", "docs/deploy.md"],
};

const enqueueHelp: CommandHelp = {
  examples: [
    ["Send a file to the backfill topic", "KAFKA_BROKERS=kafka:9092 weir enqueue payments.csv"],
    [
      "Send at most 600 events a minute to a realtime topic",
      "weir enqueue a.csv --topic screening.events --rate 600/min",
    ],
  ],
  statuses: {
    0: "Every line is in the topic.",
    1: "The run failed or was stopped. The same command continues the run.",
    2: "Some lines are no events, or lines at the end of FILE wait for more. See --finished.",
  },
  documents: ["docs/input.md", "docs/kafka.md"],
};

const replayHelp: CommandHelp = {
  examples: [
    ["List what a replay would do", "weir replay --since 2h"],
    ["Replay the dead letters of one reason", "weir replay --reason SERVICE_UNAVAILABLE --since 2026-01-31 --run"],
  ],
  statuses: {
    0: "Every dead letter is replayed or skipped.",
    1: "The replay failed or was stopped. The same command begins again and adds no second verdict id.",
  },
  documents: ["docs/kafka.md"],
};

const archiveHelp: CommandHelp = {
  examples: [["Archive the verdict topic to a bucket", "KAFKA_BROKERS=kafka:9092 S3_BUCKET=verdicts weir archive"]],
  statuses: {
    0: "A signal stopped the archive, and the archive ended in good order.",
    1: "A setting is wrong, a topic is missing, or another failure ended the archive.",
    3: "The Kafka consumer died.",
    4: "No verdict made progress any more.",
  },
  documents: ["docs/archive.md", "docs/deploy.md"],
};

const auditHelp: CommandHelp = {
  examples: [
    [
      "Audit a bucket and compare the archive with the verdict topic",
      "S3_BUCKET=verdicts KAFKA_BROKERS=kafka:9092 weir audit",
    ],
    ["Audit the folder of weir screen", "weir audit --dir weir-out"],
  ],
  statuses: {
    0: "The audit has no finding.",
    1: "The audit failed because the store or the brokers did not answer.",
    2: "The audit has findings, or the archive is empty.",
  },
  note: "With KAFKA_BROKERS, the command reads the Kafka settings of weir worker. With --dir, the command reads POLICY_FILE only.",
  documents: ["docs/archive.md", "docs/runbook.md"],
};

/** Commands that read or write topics, or the archive of a topic. */
export function addKafkaCommands(program: Command, { env, signal }: RunContext): void {
  withHelp(program.command("worker"), workerHelp)
    .summary("screen events from Kafka")
    .description(
      "Screens the events of Kafka topics and writes their verdicts to a topic, until a signal stops the worker.",
    )
    .action(async () => {
      const { worker } = await import("../worker/worker.ts");
      // A hanging Kafka client must not keep a finished process alive.
      process.exit(await worker(env, signal));
    });

  const enqueue = program
    .command("enqueue")
    .summary("write a file of events to a topic")
    .description("Writes every event of a file to the first topic of TOPICS_BACKFILL, for weir worker.")
    .argument("<file>", "File of events, as for weir screen; - is standard input.")
    .option("--topic <topic>", "Another topic of TOPICS_BACKFILL or TOPICS_REALTIME.")
    .option("--rate <rate>", "Highest rate of events, such as 1000/s or 600/min.")
    .option("--state <file>", "File with the progress of the run. (default: FILE.enqueued.json)");
  withHelp(withInputOptions(enqueue), enqueueHelp)
    .addOption(quietOption())
    .action(async (file: string, flags: EnqueueFlags) => {
      const { enqueue } = await import("../enqueue/enqueue.ts");
      process.exit(await enqueue(file, flags, env, signal));
    });

  withHelp(program.command("replay"), replayHelp)
    .summary("screen the events of dead letters again")
    .description("Puts dead letters back as retry tickets, so that weir worker screens their events again.")
    .addOption(repeatable("--reason <code>", "Dead letters with one of these reasons. May be repeated."))
    .option(
      "--since <time>",
      "Dead letters since a time: 2026-01-31T08:00:00Z, 2026-01-31, or an age such as 30min, 2h or 7d.",
    )
    .option("--until <time>", "Dead letters before a time, in the forms of --since.")
    .option("--tenant <tenant>", "Dead letters of this tenant.")
    .option("--all", "Begin with the first dead letter of the topic, not where the last complete replay ended.")
    .option("--run", "Write the retry tickets. Without this flag, the command only reports.")
    .addOption(quietOption())
    .action(async (flags: ReplayFlags) => {
      const { replay } = await import("../replay/replay.ts");
      process.exit(await replay(flags, env, signal));
    });

  withHelp(program.command("archive"), archiveHelp)
    .summary("archive verdicts to S3")
    .description("Writes the verdict topic to a bucket as archive objects, until a signal stops the archive.")
    .action(async () => {
      const { archive } = await import("../archive/archive.ts");
      process.exit(await archive(env, signal));
    });

  withHelp(program.command("audit"), auditHelp)
    .summary("verify that the archive is complete and correct")
    .description(
      "Verifies that the archive has no gap, and that each verdict follows from its evidence. Changes nothing.",
    )
    .option("--dir <dir>", "Folder that weir screen wrote (--out), in place of a bucket.")
    .addOption(quietOption())
    .action(async (flags: AuditFlags) => {
      const { audit } = await import("../audit/audit.ts");
      // A hanging Kafka client must not keep a finished process alive.
      process.exit(await audit(flags, env, signal));
    });
}
