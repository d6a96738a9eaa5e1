import { VERDICT_LOG } from "../../adapters/files/output/verdict-log.ts";
import type { AuditDeps, AuditedListSets, AuditedTopic, ReportedLoss } from "../../archive/audit/audit-finding.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import { type Environment, readEnv } from "../config/config.ts";
import { AuditEnv, AuditFolderEnv } from "../config/env/archive-env.ts";
import { KafkaEnv } from "../config/env/kafka-env.ts";
import { kafkaSettings } from "../config/kafka-settings.ts";
import { stderrLog } from "../terminal/stderr-log.ts";
import { openS3Store } from "../wiring/s3-store.ts";
import { auditedFolder } from "./audited-folder.ts";
import { auditedTopic } from "./audited-topic.ts";

/** The subject of an audit, and the data to compare it with. */
export interface AuditSource {
  /** The topic as keys name it. */
  readonly topic: string;
  readonly read: Pick<AuditDeps, "store" | "versioned" | "topic">;
  readonly knownLosses: readonly ReportedLoss[];
  readonly policyFiles: readonly string[];
  /** The contents of the sets of lists. */
  readonly listSets: Pick<AuditedListSets, "keptIn" | "whyMissing">;
  /** The missing data that the audit should compare with. */
  readonly lacks?: string;
}

const MISSING = "nothing spells this set of lists out";

/**
 * The bucket that workers archive to, together with the topic where brokers are configured. @throws
 * {ConfigInvalidError}
 */
export async function bucketSource(env: Environment, opened: Lifecycle, signal: AbortSignal): Promise<AuditSource> {
  const config = readEnv(AuditEnv, env);
  const topic = config.KAFKA_BROKERS === undefined ? undefined : await openTopic(env, opened, signal);
  const store = openS3Store(config, opened);
  return {
    topic: config.TOPIC_VERDICTS,
    read: {
      store,
      // Only buckets with versions have Object Lock.
      ...(config.S3_OBJECT_LOCK_DAYS === undefined ? {} : { versioned: store }),
      ...(topic === undefined ? {} : { topic }),
    },
    knownLosses: config.AUDIT_KNOWN_LOSSES,
    policyFiles: config.POLICY_FILE,
    listSets: {
      keptIn: config.AUDIT_LISTS,
      whyMissing: `${MISSING}; \`weir archive\` writes none: set AUDIT_LISTS=log`,
    },
  };
}

/** The folder of a `weir screen` run. @throws {ConfigInvalidError} */
export async function folderSource(dir: string, env: Environment, opened: Lifecycle): Promise<AuditSource> {
  const config = readEnv(AuditFolderEnv, env);
  const { store, log } = await auditedFolder(dir, opened);
  const lacks = `${dir} holds no verdicts.ndjson: nothing shows that the archive has all that was decided`;
  return {
    topic: VERDICT_LOG.topic,
    read: { store, ...(log === undefined ? {} : { topic: log }) },
    knownLosses: [],
    policyFiles: config.POLICY_FILE,
    listSets: { keptIn: "archive", whyMissing: MISSING },
    ...(log === undefined ? { lacks } : {}),
  };
}

async function openTopic(env: Environment, opened: Lifecycle, signal: AbortSignal): Promise<AuditedTopic> {
  const settings = await kafkaSettings(readEnv(KafkaEnv, env));
  return auditedTopic({ settings, log: stderrLog(process.stderr), opened, signal });
}
