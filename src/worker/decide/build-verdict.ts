import { type Clock, timestamp } from "../../kernel/clock.ts";
import { lacking, VERDICT_SCHEMA, type Verdict } from "../../messages/verdict.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Identity } from "../plan/reading/record-identity.ts";
import type { InputRecord } from "../ports.ts";
import { type Case, decide } from "./decide.ts";
import { fitVerdict } from "./fit-verdict.ts";

export interface VerdictDeps {
  readonly clock: Clock;
  /** Name and version of this program in verdicts. */
  readonly software: string;
  /** Limit of a verdict as JSON, bytes. A larger verdict is reduced. */
  readonly maxVerdictBytes: number;
}

/**
 * Builds the verdict on a record from the facts.
 *
 * @param lists Id of the lists in which the event was looked up.
 */
export function buildVerdict(
  { revision, source }: Pick<InputRecord, "revision" | "source">,
  { verdict_id, event_id, tenant, ref }: Identity,
  facts: Case,
  { id, sha256, table }: Policy,
  { clock, software, maxVerdictBytes }: VerdictDeps,
  lists: string | undefined,
): Verdict {
  // The decision is made before anything is reduced, so the size of a verdict never changes its decision.
  const { decision, reasons } = decide(facts, table);
  // One literal with the fields in their written order, because there may be as many verdicts as events in flight.
  const verdict: Verdict = {
    schema: VERDICT_SCHEMA,
    verdict_id,
    event_id,
    tenant,
    revision,
    decision,
    reasons,
    subject: facts.subject,
    required_checks: facts.requiredChecks,
    checks: facts.checks,
    policy: { id, sha256 },
    lists,
    source,
    decided_at: timestamp(clock.now()),
    software,
  };
  const isUnanswered = decision === "UNKNOWN" && lacking(verdict) === "service";
  const answered = isUnanswered ? asUnanswered(verdict) : verdict;
  return fitVerdict(ref === undefined ? answered : withRef(answered, ref), maxVerdictBytes);
}

/**
 * After a crash an event may be decided again while the service answers nothing. An earlier decision then still stands.
 */
function asUnanswered({ schema, verdict_id, event_id, tenant, revision, decision, ...after }: Verdict): Verdict {
  return { schema, verdict_id, event_id, tenant, revision, decision, unanswered: true, ...after };
}

function withRef({ decided_at, software, ...before }: Verdict, ref: unknown): Verdict {
  return { ...before, ref, decided_at, software };
}
