import type { ScreeningEvent } from "../events/event.ts";
import { verdictId } from "../events/identity.ts";
import type { Verdict } from "../events/verdict.ts";
import type { InputRecord } from "./ports.ts";

/** What a verdict says of the record that it is about. */
export type Identity = Pick<Verdict, "verdict_id" | "event_id" | "tenant" | "ref">;

type Named = Pick<InputRecord, "bytes" | "defaultId" | "event" | "verdictId">;

/** The id of the verdict on `record`, whatever the verdict will say. */
export function verdictIdOf(record: Named): string {
  const { event } = record;
  return event.ok ? idOf(event.value, record) : verdictId("", record.defaultId, record.bytes);
}

function idOf(event: ScreeningEvent, record: Pick<Named, "defaultId" | "verdictId">): string {
  return record.verdictId ?? verdictId(event.tenant ?? "", event.id ?? record.defaultId, event);
}

export function identityOf(event: ScreeningEvent, record: Pick<Named, "defaultId" | "verdictId">): Identity {
  const { ref } = event;
  const ids = { verdict_id: idOf(event, record), event_id: event.id ?? record.defaultId, tenant: event.tenant ?? "" };
  return ref === undefined ? ids : { ...ids, ref };
}

/** A record that is no event: nobody's tenant, and its raw bytes. */
export function identityOfUnreadable({ bytes, defaultId }: Omit<Named, "event">): Identity {
  return { verdict_id: verdictId("", defaultId, bytes), event_id: defaultId, tenant: "" };
}
