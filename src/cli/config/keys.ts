import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Secret } from "../../kernel/secret.ts";
import type { KeySource } from "../../worker/ports.ts";
import { readSettingFile } from "./setting-file.ts";

export interface KeysOptions {
  readonly file: string | undefined;
  readonly values: readonly string[] | undefined;
  /** The names of the two variables, for the message. */
  readonly names: { readonly file: string; readonly values: string };
}

/** Keys from a file (one a line, preferred) or from a variable. @throws {ConfigInvalidError} when there is none. */
export async function readKeys({ file, values = [], names }: KeysOptions): Promise<readonly Secret[]> {
  const lines = file === undefined ? values : (await readSettingFile(names.file, file)).split(/\r?\n/);
  const keys = lines.map((line) => line.trim()).filter((line) => line !== "");
  if (keys.length === 0) {
    throw new ConfigInvalidError(`no API key: set ${names.values}, or put one in a file and set ${names.file}`);
  }
  // The sender refuses such a key, or sends bytes that the other side reads differently. The key is never printed.
  const at = keys.findIndex((key) => /[^\x20-\x7e]/.test(key));
  if (at >= 0) {
    const source = file === undefined ? names.values : names.file;
    throw new ConfigInvalidError(
      `${source}: key ${at + 1} contains characters that are not printable ASCII: an HTTP header cannot carry them; write the key again`,
    );
  }
  return keys.map((key) => new Secret(key));
}

/** The first key. A key in a file is read again on `reload`; a variable never changes. @throws {ConfigInvalidError} */
export async function openKey(options: KeysOptions): Promise<KeySource> {
  const [key] = await readKeys(options);
  if (key === undefined) throw new Error("readKeys gives a key or throws");
  return options.file === undefined ? fixedKey(key) : new KeyFile(options, key);
}

/** A key that never changes. */
export function fixedKey(key: Secret): KeySource {
  return { current: () => key, reload: async () => false };
}

class KeyFile implements KeySource {
  readonly #options: KeysOptions;
  #key: Secret;
  /** Parallel callers share one read: an older read that ends later would bring an older key back. */
  #reloading: Promise<boolean> | undefined;

  constructor(options: KeysOptions, key: Secret) {
    this.#options = options;
    this.#key = key;
  }

  current(): Secret {
    return this.#key;
  }

  reload(): Promise<boolean> {
    this.#reloading ??= this.#read().finally(() => {
      this.#reloading = undefined;
    });
    return this.#reloading;
  }

  async #read(): Promise<boolean> {
    try {
      const [key] = await readKeys(this.#options);
      if (key === undefined || this.#key.equals(key.reveal())) return false;
      this.#key = key;
      return true;
    } catch (thrown) {
      // A file that is being replaced may be missing or empty for a moment.
      if (thrown instanceof ConfigInvalidError) return false;
      throw thrown;
    }
  }
}
