import { audit as auditArchive } from "../../archive/audit.ts";
import type { AuditFinding } from "../../archive/audit-finding.ts";
import { counted } from "../../kernel/counted.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { unsteered } from "../../kernel/unsteered.ts";
import { auditedTopic } from "../audited-topic.ts";
import { AuditEnv, type Environment, readEnv } from "../config.ts";
import { decidedAgain } from "../decided-again.ts";
import { KafkaEnv } from "../env/kafka-env.ts";
import { kafkaSettings } from "../kafka-settings.ts";
import { everyPolicy } from "../open-policy.ts";
import { auditLine, showProgress } from "../progress.ts";
import { openS3Store } from "../s3-store.ts";
import { stderrLog } from "../stderr-log.ts";

const CLOSE_DEADLINE_MS = 5_000;

/** `weir audit`. @returns 0 when everything is as it should be, 2 when something was found. @throws {ConfigInvalidError} */
export async function audit(env: Environment, signal: AbortSignal): Promise<0 | 2> {
  const config = readEnv(AuditEnv, env);
  const choices = await everyPolicy(config.POLICY_FILE);
  const opened = new Lifecycle();
  let findings = 0;
  let seen = { keys: 0, objects: 0, verdicts: 0 };
  const begun = performance.now();
  const unwatch = showProgress(process.stderr, () =>
    auditLine({ ...seen, findings, elapsedMs: performance.now() - begun }),
  );
  try {
    const topic = config.TOPIC_VERDICTS;
    const audited = config.KAFKA_BROKERS === undefined ? undefined : await openTopic(env, opened, signal);
    const store = openS3Store(config, opened);
    const counts = await auditArchive(topic, {
      store,
      // Object Lock is only on buckets that keep versions.
      ...(config.S3_OBJECT_LOCK_DAYS === undefined ? {} : { versioned: store }),
      decide: (verdict) => decidedAgain(verdict, choices),
      ...(audited === undefined ? {} : { topic: audited }),
      signal,
      onFinding: (finding) => {
        findings++;
        process.stdout.write(`${lineOf(finding)}\n`);
      },
      knownLosses: config.AUDIT_KNOWN_LOSSES,
      onKnown: (finding) => process.stdout.write(`${lineOf(finding)} (acknowledged)\n`),
      onListed: (keys) => {
        seen = { ...seen, keys };
      },
      onObject: ({ objects, verdicts }) => {
        seen = { ...seen, objects, verdicts };
      },
    });
    unwatch();
    process.stderr.write(policiesOf(counts.policies));
    const decided = `${counts.decided} decided again, ${counts.otherPolicy} by a policy that is not at hand`;
    const held = `${counted(counts.anchored, "partition")} held against the group's commit`;
    const compared = audited === undefined ? "" : `, ${counts.compared} compared with the topic, ${held}`;
    const waiting = counts.waiting === 0 ? "" : `, ${counts.waiting} not archived yet`;
    const known = config.AUDIT_KNOWN_LOSSES.length;
    const lost = known === 0 ? "" : `; ${counts.acknowledged} of ${counted(known, "range")} acknowledged`;
    process.stdout.write(
      `${counted(counts.objects, "object")}, ${counted(counts.verdicts, "verdict")}: ${decided}${compared}${waiting}${lost}; ${counted(findings, "finding")}\n`,
    );
    return findings === 0 ? 0 : 2;
  } finally {
    unwatch();
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

/** Which policies those were: one that nobody used at the time is worth a look. */
function policiesOf(policies: ReadonlyMap<string, number>): string {
  const said = Array.from(policies, ([named, verdicts]) => {
    const [id = "", hash = ""] = [named.slice(0, named.lastIndexOf(" ")), named.slice(named.lastIndexOf(" ") + 1)];
    return `decided by ${unsteered(id)} ${hash.slice(0, 12)}: ${counted(verdicts, "verdict")}\n`;
  });
  return said.join("");
}

async function openTopic(env: Environment, opened: Lifecycle, signal: AbortSignal) {
  const settings = await kafkaSettings(readEnv(KafkaEnv, env));
  return auditedTopic({ settings, log: stderrLog(process.stderr), opened, signal });
}

/** Keys and what objects say may be anybody's: a line of theirs must not pass for one of the audit's. */
function lineOf({ partition, key, finding, detail }: AuditFinding): string {
  const where = key ?? (partition === undefined ? "topic" : `partition ${partition}`);
  return `${finding}  ${unsteered(where)}  ${unsteered(detail)}`;
}
