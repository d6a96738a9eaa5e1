import { type Clock, timestamp } from "../../kernel/clock.ts";
import { lacking, VERDICT_SCHEMA, type Verdict } from "../../messages/verdict.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Identity } from "../plan/reading/record-identity.ts";
import type { InputRecord } from "../ports.ts";
import { type Case, decide } from "./decide.ts";
import { fitVerdict } from "./fit-verdict.ts";

export interface VerdictDeps {
  readonly clock: Clock;
  /** Name and version of this program, as verdicts name it. */
  readonly software: string;
  /** Most bytes of a verdict as JSON; a larger one is reduced. */
  readonly maxVerdictBytes: number;
}

/** What is said of a record, by what was found out. @param lists id of the lists that the event was held against. */
export function verdictOn(
  { revision, source }: Pick<InputRecord, "revision" | "source">,
  { verdict_id, event_id, tenant, ref }: Identity,
  facts: Case,
  { id, sha256, table }: Policy,
  { clock, software, maxVerdictBytes }: VerdictDeps,
  lists: string | undefined,
): Verdict {
  // Before anything is reduced: whatever makes a verdict large must not change what it says.
  const { decision, reasons } = decide(facts, table);
  // In one piece, its fields in the order in which they are written: as many of them are at hand as events are in flight.
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

/** After a crash an event may be decided again while the service answers nothing: what was decided before still stands. */
function asUnanswered({ schema, verdict_id, event_id, tenant, revision, decision, ...after }: Verdict): Verdict {
  return { schema, verdict_id, event_id, tenant, revision, decision, unanswered: true, ...after };
}

function withRef({ decided_at, software, ...before }: Verdict, ref: unknown): Verdict {
  return { ...before, ref, decided_at, software };
}
