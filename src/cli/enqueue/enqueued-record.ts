import { ConfigInvalidError } from "../../kernel/errors.ts";
import { sha256 } from "../../kernel/hash.ts";
import { MAX_EVENT_BYTES, type ScreeningEvent } from "../../messages/event.ts";
import { subjectKey } from "../../messages/subject-key.ts";
import { subjectOf } from "../../worker/plan/reading/subject.ts";
import type { InputRecord } from "../../worker/ports.ts";

/** What a line of a file becomes on a topic. */
export interface EnqueuedRecord {
  readonly key: string;
  readonly value: Uint8Array;
}

/**
 * A line as the worker is to read it: with an id of its own, so that a line which is sent twice has one verdict id, and
 * the one that `weir screen` gives it. JSON stays as it is but for that id; other formats become JSON. What is no event
 * goes as it stands: the worker answers it UNKNOWN.
 */
export function enqueuedRecord({ event, bytes, defaultId }: InputRecord, isJson: boolean): EnqueuedRecord {
  if (!event.ok) return { key: sha256(bytes), value: bytes };
  return { key: subjectKey(subjectOf(event.value)), value: contentOf(event.value, bytes, defaultId, isJson) };
}

function contentOf(event: ScreeningEvent, bytes: Uint8Array, defaultId: string, isJson: boolean): Uint8Array {
  if (!isJson) return Buffer.from(JSON.stringify({ ...event, id: event.id ?? defaultId }));
  if (event.id !== undefined) return bytes;
  // Nothing else is written anew: number text beyond 2^53 and whatever `ref` holds stay as they are.
  const text = Buffer.from(bytes).toString("utf8");
  const value = Buffer.from(`{"id":${JSON.stringify(defaultId)},${text.slice(text.indexOf("{") + 1)}`);
  // Better without an id than too long to be read.
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
