import { audit as auditArchive } from "../../archive/audit.ts";
import type { AuditFinding } from "../../archive/audit-finding.ts";
import { counted } from "../../kernel/counted.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { auditedTopic } from "../audited-topic.ts";
import { AuditEnv, type Environment, readEnv } from "../config.ts";
import { decidedAgain } from "../decided-again.ts";
import { KafkaEnv } from "../env/kafka-env.ts";
import { kafkaSettings } from "../kafka-settings.ts";
import { openPolicy } from "../open-policy.ts";
import { showProgress } from "../progress.ts";
import { openS3Store } from "../s3-store.ts";
import { stderrLog } from "../stderr-log.ts";

const CLOSE_DEADLINE_MS = 5_000;

/** `weir audit`. @returns 0 when everything is as it should be, 2 when something was found. @throws {ConfigInvalidError} */
export async function audit(env: Environment, signal: AbortSignal): Promise<0 | 2> {
  const config = readEnv(AuditEnv, env);
  const files = config.POLICY_FILE.length === 0 ? [undefined] : config.POLICY_FILE;
  const policies = await Promise.all(files.map((file) => openPolicy(file)));
  const choices = policies.map(({ choice }) => choice);
  const opened = new Lifecycle();
  let findings = 0;
  let objects = 0;
  const unwatch = showProgress(process.stderr, () => `${objects} objects read, ${findings} findings`);
  try {
    const topic = config.TOPIC_VERDICTS;
    const audited = config.KAFKA_BROKERS === undefined ? undefined : await openTopic(env, opened, signal);
    const counts = await auditArchive(topic, {
      store: openS3Store(config, opened),
      decide: (verdict) => decidedAgain(verdict, choices),
      ...(audited === undefined ? {} : { topic: audited }),
      signal,
      onFinding: (finding) => {
        findings++;
        process.stdout.write(`${lineOf(finding)}\n`);
      },
      onObject: (seen) => {
        objects = seen.objects;
      },
    });
    unwatch();
    const decided = `${counts.decided} decided again, ${counts.otherPolicy} by a policy that is not at hand`;
    const compared = audited === undefined ? "" : `, ${counts.compared} compared with the topic`;
    process.stdout.write(
      `${counted(counts.objects, "object")}, ${counted(counts.verdicts, "verdict")}: ${decided}${compared}; ${counted(findings, "finding")}\n`,
    );
    return findings === 0 ? 0 : 2;
  } finally {
    unwatch();
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

async function openTopic(env: Environment, opened: Lifecycle, signal: AbortSignal) {
  const settings = await kafkaSettings(readEnv(KafkaEnv, env));
  return auditedTopic({ settings, log: stderrLog(process.stderr), opened, signal });
}

function lineOf({ partition, key, finding, detail }: AuditFinding): string {
  return `${finding}  ${key ?? (partition === undefined ? "topic" : `partition ${partition}`)}  ${detail}`;
}
