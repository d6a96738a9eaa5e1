import type { AccountState } from "../../../chains/solana/accounts/account-state.ts";
import { versionOf } from "./program-code.ts";

/** The account with a program's code, and the version of the code. */
export interface Code {
  readonly state: AccountState;
  readonly version: string;
}

/** Most bytes of code that are kept. A large program has some megabytes. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Code of programs by the address of its account. The least recently used code is dropped first. */
export class CodeStore {
  readonly #kept = new Map<string, Code>();
  #bytes = 0;

  get(address: string): Code | undefined {
    const kept = this.#kept.get(address);
    if (kept === undefined) return undefined;
    this.#kept.delete(address);
    this.#kept.set(address, kept);
    return kept;
  }

  /** Keeps the code. Its bytes are then shared with worker threads, and never copied. */
  keep(address: string, account: AccountState): AccountState {
    this.forget(address);
    const data = new Uint8Array(new SharedArrayBuffer(account.data.length));
    data.set(account.data);
    const state = { ...account, data };
    this.#kept.set(address, { state, version: versionOf(account, account.data.length) });
    this.#bytes += data.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_BYTES || oldest === address) break;
      this.forget(oldest);
    }
    return state;
  }

  forget(address: string): void {
    this.#bytes -= this.#kept.get(address)?.state.data.length ?? 0;
    this.#kept.delete(address);
  }
}
