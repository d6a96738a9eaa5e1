import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import type { ArchiveObject } from "../../archive/object.ts";
import { type ObjectStore, ObjectUnreadableError, StoreUnavailableError } from "../../archive/object-store.ts";
import { sha256 } from "../../kernel/hash.ts";
import { VERDICT_SCHEMA } from "../../messages/verdict.ts";

const check = "bucket";
const NOTHING = new Uint8Array();

/**
 * An object outside of the archive's keys, which audits do not read. It is put once, and every later check finds it.
 */
const PROBE: ArchiveObject = {
  key: "doctor/if-none-match.ndjson.gz",
  lines: NOTHING,
  metadata: {
    schema: VERDICT_SCHEMA,
    topic: "doctor",
    partition: 0,
    start: 0,
    end: 0,
    count: 0,
    sha256: sha256(NOTHING),
    previous_sha256: "",
  },
};

/**
 * Checks that the archive's bucket can be listed, written and read, and refuses to overwrite. Leaves one empty object
 * in the bucket, doctor/if-none-match.ndjson.gz.
 */
export async function checkBucket(store: ObjectStore, bucket: string, signal: AbortSignal): Promise<CheckedItem> {
  try {
    for await (const _ of store.list("v1/", signal)) break;
    for (let puts = 0; puts < 2; puts++) {
      if ((await store.putNew(PROBE, signal)) === undefined) continue;
      await store.lines(PROBE.key, signal);
      return {
        check,
        ok: true,
        detail: `${bucket} can be listed, written to and read, and overwrites nothing`,
        remedy: "",
      };
    }
    return {
      check,
      ok: false,
      detail: `${bucket} overwrites objects: it does not heed If-None-Match`,
      remedy: "use a server that does; two archives could destroy each other's objects otherwise",
    };
  } catch (thrown) {
    if (thrown instanceof ObjectUnreadableError) {
      return { check, ok: false, detail: thrown.message, remedy: `remove ${PROBE.key} and try again` };
    }
    if (!(thrown instanceof StoreUnavailableError)) throw thrown;
    const remedy =
      "see that the endpoint is reached, and that these credentials may list the bucket, put and get objects";
    return { check, ok: false, detail: thrown.message, remedy };
  }
}
