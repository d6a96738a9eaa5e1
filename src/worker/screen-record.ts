import type { ScreeningEvent } from "../events/event.ts";
import { canonicalEvent, verdictId } from "../events/identity.ts";
import type { Policy, PolicyChoice } from "../events/policy.ts";
import { VERDICT_SCHEMA, type Verdict } from "../events/verdict.ts";
import { timestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/sha256.ts";
import { type AskDeps, ask } from "./ask.ts";
import { type Case, decide } from "./decide.ts";
import { failed, plan } from "./plan.ts";
import type { InputRecord } from "./ports.ts";

export interface ScreenDeps extends AskDeps {
  readonly policyFor: PolicyChoice;
  /** Name and version of this program, as verdicts name it. */
  readonly software: string;
}

/** One record in, one verdict out: read -> plan -> ask -> decide. Only a bug or an abort throws. */
export async function screenRecord(record: InputRecord, deps: ScreenDeps, signal: AbortSignal): Promise<Verdict> {
  const { event } = record;
  if (!event.ok) return unreadable(record, event.detail, deps);
  const policy = deps.policyFor(event.value.tenant);
  const { subject, requiredChecks, questions, settled } = plan(event.value, policy.table);
  const answered = await Promise.all(questions.map((question) => ask(question, deps, signal)));
  return verdictOn(
    record,
    identityOf(event.value, record),
    { subject, requiredChecks, checks: [...settled, ...answered] },
    policy,
    deps,
  );
}

/** The id of the verdict on `record`, whatever the verdict will say. */
export function verdictIdOf(record: Omit<InputRecord, "revision">): string {
  const { event } = record;
  return (event.ok ? identityOf(event.value, record) : identityOfUnreadable(record)).verdict_id;
}

type Identity = Pick<Verdict, "verdict_id" | "event_id" | "tenant" | "ref">;

function identityOf(event: ScreeningEvent, record: Pick<InputRecord, "defaultId">): Identity {
  const tenant = event.tenant ?? "";
  const eventId = event.id ?? record.defaultId;
  const ref = event.ref === undefined ? {} : { ref: event.ref };
  return { verdict_id: verdictId(tenant, eventId, canonicalEvent(event)), event_id: eventId, tenant, ...ref };
}

/** A record that is no event: nobody's tenant, and its raw bytes. */
function identityOfUnreadable({ bytes, defaultId }: Pick<InputRecord, "bytes" | "defaultId">): Identity {
  return { verdict_id: verdictId("", defaultId, bytes), event_id: defaultId, tenant: "" };
}

/** UNKNOWN, by the policy of nobody in particular. */
function unreadable(record: InputRecord, detail: string, deps: ScreenDeps): Verdict {
  const { bytes } = record;
  const where = "line" in record.source ? `line ${record.source.line}: ` : "";
  const facts: Case = {
    subject: { type: "unreadable", record_sha256: sha256(bytes) },
    requiredChecks: [],
    checks: [failed("event", "EVENT_MALFORMED", `${where}${detail}`)],
  };
  return verdictOn(record, identityOfUnreadable(record), facts, deps.policyFor(undefined), deps);
}

function verdictOn(record: InputRecord, identity: Identity, facts: Case, policy: Policy, deps: ScreenDeps): Verdict {
  const { decision, reasons } = decide(facts, policy.table);
  const { ref, ...ids } = identity;
  return {
    schema: VERDICT_SCHEMA,
    ...ids,
    revision: record.revision,
    decision,
    reasons: [...reasons],
    subject: facts.subject,
    required_checks: [...facts.requiredChecks],
    checks: [...facts.checks],
    policy: { id: policy.id, sha256: policy.sha256 },
    source: record.source,
    ...(ref === undefined ? {} : { ref }),
    decided_at: timestamp(deps.clock.now()),
    software: deps.software,
  };
}
