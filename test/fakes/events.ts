import policyFile from "../../data/policy.json" with { type: "json" };
import type { ScreeningEvent } from "../../src/messages/event.ts";
import { parseEvent } from "../../src/messages/parse-event.ts";
import { type Policy, readPolicy } from "../../src/policy/policy.ts";

/** A valid event from its fields, parsed as a record would be; numbers may be written as exact text. */
export function eventOf(fields: Readonly<Record<string, unknown>> | string): ScreeningEvent {
  const parsed = parseEvent(Buffer.from(typeof fields === "string" ? fields : JSON.stringify(fields)));
  if (!parsed.ok) throw new Error(`not an event: ${parsed.detail}`);
  return parsed.value;
}

/** The bundled policy, for an event without a tenant. */
export const defaultPolicy: Policy = readPolicy(policyFile)(undefined);
