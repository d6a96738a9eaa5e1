import { ConfigInvalidError } from "../../kernel/errors.ts";
import { sha256 } from "../../kernel/hash.ts";
import { MAX_EVENT_BYTES, type ScreeningEvent } from "../../messages/event.ts";
import { subjectKey } from "../../messages/subject-key.ts";
import { subjectOf } from "../../worker/plan/reading/subject.ts";
import type { InputRecord } from "../../worker/ports.ts";

/** The record of a line on a topic. */
export interface EnqueuedRecord {
  readonly key: string;
  readonly value: Uint8Array;
}

/**
 * A line in the form that the worker reads. It has its own id, so a line that is sent twice has one verdict id, which
 * equals that of `weir screen`. JSON is unchanged except for that id; other formats become JSON. A line that is no
 * event is sent unchanged, and the worker answers it with UNKNOWN.
 */
export function enqueuedRecord({ event, bytes, defaultId }: InputRecord, isJson: boolean): EnqueuedRecord {
  if (!event.ok) return { key: sha256(bytes), value: bytes };
  return { key: subjectKey(subjectOf(event.value)), value: contentOf(event.value, bytes, defaultId, isJson) };
}

function contentOf(event: ScreeningEvent, bytes: Uint8Array, defaultId: string, isJson: boolean): Uint8Array {
  if (!isJson) return Buffer.from(JSON.stringify({ ...event, id: event.id ?? defaultId }));
  if (event.id !== undefined) return bytes;
  // Only the id is inserted: numbers beyond 2^53 and the content of `ref` stay unchanged.
  const text = Buffer.from(bytes).toString("utf8");
  const value = Buffer.from(`{"id":${JSON.stringify(defaultId)},${text.slice(text.indexOf("{") + 1)}`);
  // An event without an id is better than one that is too long to be read.
  return value.byteLength > MAX_EVENT_BYTES ? bytes : value;
}

/** Longest id of an event. */
const MAX_ID_CHARACTERS = 256;
/** "/" and the number of a line. */
const LINE_CHARACTERS = 17;

/** @throws {ConfigInvalidError} when no event could have an id that names the file. */
export function refuseUnusableName(name: string): void {
  if (name.length + LINE_CHARACTERS <= MAX_ID_CHARACTERS && !/\p{Cc}/u.test(name)) return;
  throw new ConfigInvalidError(
    "the file's name is too long or holds control characters, and the events' ids are made of it: rename the file",
  );
}
