import { toError } from "../kernel/errors.ts";
import type { Lifecycle } from "../kernel/lifecycle.ts";
import type { Log } from "../kernel/log.ts";
import { backoffMs } from "../kernel/retry.ts";
import { systemClock } from "../kernel/system-clock.ts";
import type { AddressBook } from "../labels/address-book.ts";
import { listSetOf } from "../labels/list-set.ts";
import type { S3Config } from "./config.ts";
import { openS3Store } from "./s3-store.ts";

/** Chosen: an outage of a bucket takes minutes, and the set of lists is no secret that could be lost: the log has it. */
const PATIENCE = { attempts: 50, baseMs: 1_000, maxMs: 300_000 };

/**
 * Spells each set of lists out once in the archive of this process, where verdicts name it by its id alone. Neither the start
 * of the worker nor a verdict waits for that.
 */
export function listSetArchive(
  config: S3Config,
  { opened, log, signal }: { readonly opened: Lifecycle; readonly log: Log; readonly signal: AbortSignal },
): (book: AddressBook) => Promise<void> {
  const store = openS3Store(config, opened);
  const put = async (book: AddressBook): Promise<void> => {
    const set = listSetOf(book);
    for (let attempt = 1; set !== undefined && !signal.aborted; attempt++) {
      try {
        return await store.putJson(set.key, set.json, signal);
      } catch (thrown) {
        if (signal.aborted) return;
        const detail = toError(thrown).message;
        log.warn("the set of lists is not spelled out in the archive yet", { lists: book.id, attempt, detail });
        if (attempt === PATIENCE.attempts) return;
        await systemClock.sleep(backoffMs(PATIENCE, attempt, Math.random), signal).catch(() => undefined);
      }
    }
  };
  return async (book) => {
    put(book).catch((thrown: unknown) => log.error("bug", { error: toError(thrown) }));
  };
}
