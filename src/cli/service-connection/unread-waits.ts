import type { Log } from "../../kernel/log.ts";

/**
 * Most reported texts. Chosen: a service has one form or two, and a service with random forms must not fill the log.
 */
const MOST = 10;

/** Logs each text of a Retry-After header that is no wait, once. */
export function unreadWaits(log: Pick<Log, "warn">): (text: string) => void {
  const told = new Set<string>();
  return (header) => {
    if (told.size >= MOST || told.has(header)) return;
    told.add(header);
    log.warn("the service announces a wait in an unknown form: Weir treats the answer as a refusal without a wait", {
      header,
    });
  };
}
