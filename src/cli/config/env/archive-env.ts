import { z } from "zod";
import { count, duration, list, losses, port } from "./fields.ts";
import { KafkaEnv } from "./kafka-env.ts";
import { bucketNamed, S3Env } from "./s3-env.ts";
import { adminHost, ServeEnv, sharedEnv } from "./serve-env.ts";

/** Half of the limit for an object that an audit unpacks. Two objects may wait in memory. */
const MAX_OBJECT_BYTES = 128 * 1024 * 1024;
const DAY_MS = 86_400_000;

/** Settings of every command that cuts archive objects. */
export const archivingEnv = {
  ARCHIVE_VERDICTS: count(100_000).describe("Most verdicts in one archive object."),
  ARCHIVE_BYTES: count(64 * 1024 * 1024)
    .refine((bytes) => bytes <= MAX_OBJECT_BYTES, `must be at most ${MAX_OBJECT_BYTES}`)
    .describe("Most bytes of verdicts in one archive object, before compression. At most 134217728."),
  ARCHIVE_AGE: duration("5min")
    .refine((ms) => ms <= DAY_MS, "must be at most 1440min")
    .describe("Longest time that an archive object stays open before Weir writes the object. At most 1440min."),
};

/** Settings of the admin server. */
export const adminEnv = {
  ADMIN_HOST: adminHost,
  ADMIN_PORT: port("9464").describe("Port of the admin server (/livez, /readyz, /metrics). 0 picks a free port."),
};

/** Variables of `weir archive`. */
export const ArchiveEnv = z.object({ ...KafkaEnv.shape, ...S3Env.shape, ...archivingEnv, ...adminEnv, ...sharedEnv });

/**
 * Variables of `weir audit`. With KAFKA_BROKERS it compares the archive with the topic, and reads the other variables
 * of Kafka.
 */
export const AuditEnv = z.object({
  ...S3Env.shape,
  S3_BUCKET: bucketNamed("must name the bucket of the archive; for the folder of a run, give --dir"),
  KAFKA_BROKERS: z
    .string()
    .optional()
    .describe(
      "Brokers of the verdict topic that the audit compares with the archive, as host:port. When empty, the audit compares no topic.",
    ),
  TOPIC_VERDICTS: KafkaEnv.shape.TOPIC_VERDICTS,
  POLICY_FILE: list
    .prefault("")
    .describe(
      "Your own policy files that the archived verdicts were made with, old ones too, separated by commas. The audit knows all versions of data/policy.json.",
    ),
  AUDIT_KNOWN_LOSSES: losses.describe(
    "Verdicts that the topic deleted before the archive had read them, for example `0:3-99,2:500-612`. Each entry is a partition with the first and last lost offset. The audit reports these gaps, but not as audit findings.",
  ),
  AUDIT_LISTS: z
    .enum(["archive", "log"])
    .prefault("archive")
    .describe(
      "Where the sets of lists that verdicts name are stored. `archive`: a missing set is an audit finding. `log`: the sets are in the worker's log only, as with `weir archive`, and a missing set is a warning.",
    ),
});

/** Variables of the commands that read verdicts of an archive. They are read only where no folder is named. */
export const ArchiveReaderEnv = z.object({
  ...S3Env.shape,
  S3_BUCKET: bucketNamed("must name the bucket of the archive; for the folder of a run, name the folder"),
  TOPIC_VERDICTS: KafkaEnv.shape.TOPIC_VERDICTS,
});

/** Variables of `weir backtest`. The bucket is read only where no folder is named. */
export const BacktestEnv = ArchiveReaderEnv.extend({ POLICY_FILE: AuditEnv.shape.POLICY_FILE });

/** Variables of `weir audit --dir`. */
export const AuditFolderEnv = AuditEnv.pick({ POLICY_FILE: true });

/** Variables of `weir health`. */
export const HealthEnv = z.object({ ...adminEnv, HOST: ServeEnv.shape.HOST, PORT: ServeEnv.shape.PORT });
