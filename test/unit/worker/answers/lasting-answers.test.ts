import { expect, test } from "vitest";
import { emptyBook } from "../../../../src/labels/address-book.ts";
import type { Severity } from "../../../../src/messages/decision.ts";
import type { CheckEntry } from "../../../../src/messages/verdict.ts";
import { failed } from "../../../../src/worker/answers/check-entry.ts";
import { lastingAnswers } from "../../../../src/worker/answers/lasting-answers.ts";
import { plan } from "../../../../src/worker/plan/plan.ts";
import { defaultPolicy, eventOf } from "../../../fakes/events.ts";
import { answered, clean, subject } from "../../../fakes/evidence.ts";

const { table } = defaultPolicy;
const event = { ...subject, token_address: "0xdac17f958d2ee523a2206206994597c13d831ec7" };
const planned = plan(eventOf(event), table, emptyBook);
const poisoning = (flags: object = {}) =>
  answered("poisoning", { target: { ...clean.target, ...flags }, token: clean.token });
const tokenWith = (risks: object = {}) =>
  answered("token-security", {
    ...clean.tokenSecurity,
    security_risks: { ...clean.tokenSecurity.security_risks, ...risks },
  });

/** The lasting answers, with the first entry from a ticket. */
function lasting(brought: CheckEntry, others: readonly CheckEntry[], is_poisoning: Severity = "BLOCK") {
  const findings = { ...table.findings, poisoning: { ...table.findings.poisoning, is_poisoning } };
  return lastingAnswers([brought, ...others], [brought], planned, { ...table, findings });
}

test.each<[string, CheckEntry]>([
  ["would be ALLOW", tokenWith()],
  ["would be WARN", tokenWith({ hidden_owner: "1" })],
])("a '0' from a ticket is dropped when the event %s", (_decision, other) => {
  expect(lasting(poisoning(), [other])).toEqual([other]);
});

test.each<[string, readonly CheckEntry[]]>([
  ["is BLOCK all the same", [tokenWith({ is_honeypot: "1" })]],
  ["is UNKNOWN all the same", [failed("token-security", "SERVICE_UNAVAILABLE", "why")]],
  ["lacks a check", []],
])("a '0' from a ticket stays when the event %s", (_why, others) => {
  const brought = poisoning();

  expect(lasting(brought, others)).toEqual([brought, ...others]);
});

test("a '0' from a new request stays", () => {
  const checks = [poisoning(), tokenWith()];

  expect(lastingAnswers(checks, [poisoning(), tokenWith()], planned, table)).toBe(checks);
});

test.each<[Severity, boolean]>([
  ["INFO", false],
  ["WARN", true],
  ["BLOCK", true],
])("a '1' that the policy rates %s stays: %s", (severity, stands) => {
  const brought = poisoning({ is_poisoning: "1" });

  expect(lasting(brought, [tokenWith()], severity).includes(brought)).toBe(stands);
});

test("an answer about a token stays, because token requests are never shared", () => {
  const checks = [tokenWith(), poisoning()];

  expect(lastingAnswers(checks, [tokenWith(), ...checks.slice(0, 1)], planned, table)).toBe(checks);
});

test("checks settled without a question count: an event that cannot pass needs no new request", () => {
  const settled = [failed("event", "SUBJECT_UNSUPPORTED", "why")];
  const checks = [poisoning(), tokenWith()];

  expect(lastingAnswers(checks, checks, { ...planned, settled }, table)).toBe(checks);
});
