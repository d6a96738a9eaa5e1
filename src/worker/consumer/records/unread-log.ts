import { shortName } from "../../../api/requests/short-name.ts";
import type { Log } from "../../../kernel/log.ts";
import type { StreamRecord } from "../../../kernel/stream.ts";
import { BARE_DIGITS, IF_ADDRESSES, type StrayAddress } from "../../../messages/unread/stray-address.ts";

/** Chosen: producers that invent names must not fill the log. */
const MAX_NAMES = 32;

/**
 * Logs once for each unread field that it holds addresses. An event that is refused for such a field is not logged,
 * because its verdict says so.
 */
export class UnreadLog {
  readonly #log: Pick<Log, "warn">;
  readonly #names = new Set<string>();

  constructor(log: Pick<Log, "warn">) {
    this.#log = log;
  }

  add(strays: readonly StrayAddress[], { topic, partition, offset }: StreamRecord): void {
    if (strays.some(({ isTelling }) => isTelling)) return;
    for (const { path, meant, mayBeHash } of strays) {
      const name = shortName(path);
      if (this.#names.has(name) || this.#names.size > MAX_NAMES) continue;
      this.#names.add(name);
      const where = { topic, partition, offset };
      if (this.#names.size > MAX_NAMES) {
        this.#log.warn(`more than ${MAX_NAMES} unread fields hold addresses: Weir logs no further fields`, where);
      } else {
        const field = meant === "token" ? "token_address" : "user_addresses";
        const what = mayBeHash
          ? `a field that is not read holds ${BARE_DIGITS}: ${IF_ADDRESSES} name it ${field}, or move it into ref`
          : `a field holds addresses and is not read: name it ${field}, or move it into ref`;
        this.#log.warn(what, { name, ...where });
      }
    }
  }
}
