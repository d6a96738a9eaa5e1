import { timestamp } from "../../kernel/clock.ts";
import type { EvidenceOf, PoisoningEvidence } from "../../messages/evidence.ts";
import type { CheckEntry } from "../../messages/verdict.ts";
import { failed } from "../answers/check-entry.ts";
import { failureCodes } from "../answers/failure-codes.ts";
import type { Outcome } from "../answers/outcome.ts";
import { withOwnParties } from "../decide/tron-judge/beside-service.ts";
import type { Question } from "../plan/question.ts";
import { withImitator } from "./imitators.ts";

/**
 * The check entry for the outcome of a question.
 *
 * @param isUntold Whether the question was not sent, because the simulation that names the receivers failed.
 */
export function toCheckEntry(question: Question, answered: Outcome<unknown>, isUntold = false): CheckEntry {
  const { check } = question;
  const outcome = compared(question, answered);
  const { askedAt, answeredAt, requests, cached } = outcome.trace;
  const omits = "omits" in question ? question.omits : undefined;
  if (outcome.ok && omits === undefined && askedAt !== undefined && answeredAt !== undefined) {
    // The usual case: fields in their final order, and nothing to copy.
    return {
      check,
      outcome: "ok",
      requested_at: timestamp(askedAt),
      answered_at: timestamp(answeredAt),
      cached,
      attempts: requests,
      data: outcome.value,
    };
  }
  const entry = {
    ...(askedAt === undefined ? {} : { requested_at: timestamp(askedAt) }),
    ...(answeredAt === undefined ? {} : { answered_at: timestamp(answeredAt) }),
    cached,
    attempts: requests,
  };
  if (outcome.ok) {
    const error = omits === undefined ? {} : { error: omits };
    return { check, outcome: omits === undefined ? "ok" : "failed", ...entry, data: outcome.value, ...error };
  }
  const { code, message } = outcome.error;
  const hint = code === "CHAIN_UNSUPPORTED" ? backendHint(isUntold ? "solana-simulation" : check, question) : "";
  const detail = isUntold ? `${UNTOLD}: ${message}${hint}` : `${message}${hint}`;
  return { ...failed(check, failureCodes[code], detail), ...entry };
}

/** What the worker itself read is stored in the evidence, because an audit decides by the evidence alone. */
function compared(question: Question, outcome: Outcome<unknown>): Outcome<unknown> {
  if (question.check === "tron-security" && outcome.ok)
    return { ...outcome, value: withOwnParties(outcome.value as EvidenceOf<"tron-security">, question.own) };
  if (question.check !== "poisoning" || !("target" in question)) return outcome;
  const { chain, target, users } = question;
  return withImitator(outcome as Outcome<PoisoningEvidence>, chain.family, target, users);
}

/** A comparison needs no backend, but it needs the receivers. */
const UNTOLD = "the receivers are known only from the simulation, and the simulation failed";

/** The setting that Weir's own service needs for the answer. Settings of other services are unknown. */
function backendHint(check: Question["check"], { chain }: Question): string {
  if (check === "token-security" || check === "classification") {
    return `; a service of Weir's needs chain ${chain.id} in EVM_RPC_URLS for it`;
  }
  return check === "solana-simulation" ? "; a service of Weir's needs SOLANA_RPC_URL or SOLANA_SNAPSHOT for it" : "";
}
