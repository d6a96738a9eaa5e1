import type { ScreeningEvent } from "../events/event.ts";
import { canonicalEvent, verdictId } from "../events/identity.ts";
import type { Verdict } from "../events/verdict.ts";
import type { InputRecord } from "./ports.ts";

/** What a verdict says of the record that it is about. */
export type Identity = Pick<Verdict, "verdict_id" | "event_id" | "tenant" | "ref">;

type Named = Pick<InputRecord, "bytes" | "defaultId" | "event" | "verdictId">;

/** The id of the verdict on `record`, whatever the verdict will say. */
export function verdictIdOf(record: Named): string {
  const { event } = record;
  return (event.ok ? identityOf(event.value, record) : identityOfUnreadable(record)).verdict_id;
}

export function identityOf(event: ScreeningEvent, record: Pick<Named, "defaultId" | "verdictId">): Identity {
  const tenant = event.tenant ?? "";
  const eventId = event.id ?? record.defaultId;
  const ref = event.ref === undefined ? {} : { ref: event.ref };
  const id = record.verdictId ?? verdictId(tenant, eventId, canonicalEvent(event));
  return { verdict_id: id, event_id: eventId, tenant, ...ref };
}

/** A record that is no event: nobody's tenant, and its raw bytes. */
export function identityOfUnreadable({ bytes, defaultId }: Omit<Named, "event">): Identity {
  return { verdict_id: verdictId("", defaultId, bytes), event_id: defaultId, tenant: "" };
}
