import type { VersionedStore } from "../object-store.ts";
import type { AuditFinding } from "./audit-finding.ts";

/**
 * Reports every key below `prefix` that was put more than once or deleted. No archiver does either. A forger of an
 * object and all its successors leaves this trace, as long as the bucket keeps versions.
 *
 * @throws {StoreUnavailableError}
 */
export async function auditVersions(
  prefix: string,
  store: VersionedStore,
  signal: AbortSignal,
  onFinding: (finding: AuditFinding) => void,
): Promise<void> {
  let last: string | undefined;
  let lastDeleted: string | undefined;
  let puts = 0;
  const tell = () => {
    if (last !== undefined && puts > 1)
      onFinding({ key: last, finding: "put_again", detail: `the object has ${puts} versions` });
  };
  for await (const { key, isDeletion } of store.versions(prefix, signal)) {
    if (isDeletion) {
      if (key !== lastDeleted)
        onFinding({ key, finding: "deleted", detail: "the object was deleted, and its versions remain" });
      lastDeleted = key;
    } else if (key === last) {
      puts++;
    } else {
      tell();
      last = key;
      puts = 1;
    }
  }
  tell();
}
