import type { ScreeningEvent } from "../../../messages/event.ts";
import { verdictId } from "../../../messages/identity.ts";
import { namesInMalformed } from "../../../messages/unread/malformed-names.ts";
import type { Verdict } from "../../../messages/verdict.ts";
import type { InputRecord } from "../../ports.ts";

/** The fields of a verdict that identify its record. */
export type Identity = Pick<Verdict, "verdict_id" | "event_id" | "tenant" | "ref">;

type Named = Pick<InputRecord, "bytes" | "defaultId" | "event" | "verdictId">;

/** The id of the verdict on `record`, which does not depend on the verdict's content. */
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

/** The tenant that the record names. Undefined when it names none. */
export function tenantOf(record: Pick<Named, "bytes" | "event">): string | undefined {
  const { event } = record;
  // The bytes of a parsed record may be released, so only unparsed records are read.
  return event.ok ? event.value.tenant : namesInMalformed(record.bytes).tenant;
}

/** An unreadable record is identified by its raw bytes, and keeps the names that it gives. */
export function identityOfUnreadable({ bytes, defaultId }: Omit<Named, "event">): Identity {
  const { id = defaultId, tenant = "", ref } = namesInMalformed(bytes);
  const ids = { verdict_id: verdictId(tenant, id, bytes), event_id: id, tenant };
  return ref === undefined ? ids : { ...ids, ref };
}
