import type { Clock } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/hash.ts";
import { chainSha256, type StoredObject } from "../object.ts";
import type { ObjectStore } from "../object-store.ts";
import type { Tries } from "./tries.ts";

export interface ReadBackDeps {
  readonly store: Pick<ObjectStore, "head" | "lines">;
  readonly tries: Pick<Tries, "until">;
  readonly clock: Pick<Clock, "sleep">;
}

/** An object is replaced in one put. An object that does not match its metadata this often is broken. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 1_000;

/**
 * Reads an existing object and verifies that its lines match its metadata. Metadata may belong to a truncated or
 * another body, and committed records are not read from the topic again.
 * Metadata and lines need two requests, and the object may change or disappear in between. So a result counts only when
 * the metadata is equal before and after. Otherwise the object is read again.
 *
 * @returns the object; `gone` when it no longer exists; `broken` when metadata and lines never match; undefined once
 * `generation` is over. @throws {ObjectUnreadableError}
 */
export async function readBack(
  seen: StoredObject,
  generation: AbortSignal,
  { store, tries, clock }: ReadBackDeps,
): Promise<StoredObject | "gone" | "broken" | undefined> {
  const { key } = seen;
  let before = seen;
  for (let looks = 1; ; looks++) {
    const read = await tries.until("store", generation, async () => ({
      lines: await store.lines(key, generation),
      after: await store.head(key, generation),
    }));
    if (read === undefined) return undefined;
    const { lines, after } = read;
    if (after === undefined) return "gone";
    const isSteady = chainSha256(after) === chainSha256(before);
    if (isSteady && lines !== undefined && sha256(lines) === after.metadata.sha256) return after;
    if (looks === LOOKS) return "broken";
    before = after;
    await clock.sleep(LOOK_AGAIN_MS, generation).catch(() => undefined);
  }
}
