import type { Clock } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/sha256.ts";
import { chainSha256, type StoredObject } from "../object.ts";
import type { ObjectStore } from "../object-store.ts";
import type { Tries } from "./tries.ts";

export interface ReadBackDeps {
  readonly store: Pick<ObjectStore, "head" | "lines">;
  readonly tries: Pick<Tries, "until">;
  readonly clock: Pick<Clock, "sleep">;
}

/** Whoever changes an object puts it at once: what does not belong together so often is broken. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 1_000;

/**
 * What stands under a key, with lines that are those its metadata speaks of: metadata may stand over half of a body, or over
 * another one, and what is committed is read no more from the topic. Metadata and lines are asked for one after the other,
 * and somebody may change or delete the object in between: so they count only when the metadata is the same before and
 * after, and are looked at again otherwise.
 *
 * @returns the object; `gone` when nothing stands there any more; `broken` when metadata and lines never belong together;
 * undefined once `generation` is over. @throws {ObjectUnreadableError}
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
