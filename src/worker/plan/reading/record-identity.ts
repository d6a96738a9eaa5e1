import type { ScreeningEvent } from "../../../messages/event.ts";
import { verdictId } from "../../../messages/identity.ts";
import { namesInMalformed } from "../../../messages/unread/malformed-names.ts";
import type { Verdict } from "../../../messages/verdict.ts";
import type { InputRecord } from "../../ports.ts";

/** What a verdict says of the record that it is about. */
export type Identity = Pick<Verdict, "verdict_id" | "event_id" | "tenant" | "ref">;

type Named = Pick<InputRecord, "bytes" | "defaultId" | "event" | "verdictId">;

/** The id of the verdict on `record`, whatever the verdict will say. */
export function verdictIdOf(record: Named): string {
  const { event } = record;
  return event.ok ? idOf(event.value, record) : identityOfUnreadable(record).verdict_id;
}

function idOf(event: ScreeningEvent, record: Pick<Named, "defaultId" | "verdictId">): string {
  return record.verdictId ?? verdictId(event.tenant ?? "", event.id ?? record.defaultId, event);
}

export function identityOf(event: ScreeningEvent, record: Pick<Named, "defaultId" | "verdictId">): Identity {
  const { ref } = event;
  const ids = { verdict_id: idOf(event, record), event_id: event.id ?? record.defaultId, tenant: event.tenant ?? "" };
  return ref === undefined ? ids : { ...ids, ref };
}

/** The tenant that the record names; undefined for none. */
export function tenantOf(record: Pick<Named, "bytes" | "event">): string | undefined {
  const { event } = record;
  // The bytes of a record that could be read may be let go: only those of the others are asked for.
  return event.ok ? event.value.tenant : namesInMalformed(record.bytes).tenant;
}

/** A record that is no event is told from others by its raw bytes, and keeps the names that it gives. */
export function identityOfUnreadable({ bytes, defaultId }: Omit<Named, "event">): Identity {
  const { id = defaultId, tenant = "", ref } = namesInMalformed(bytes);
  const ids = { verdict_id: verdictId(tenant, id, bytes), event_id: id, tenant };
  return ref === undefined ? ids : { ...ids, ref };
}
