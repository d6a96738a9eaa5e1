import { readFile } from "node:fs/promises";
import { ConfigInvalidError, toError } from "../kernel/errors.ts";
import { Secret } from "../kernel/secret.ts";

/** Keys from a file (one a line, preferred) or from a variable. @throws {ConfigInvalidError} when there is none. */
export async function readKeys(options: {
  readonly file: string | undefined;
  readonly values: readonly string[] | undefined;
  /** How the two variables are called, for the message. */
  readonly names: { readonly file: string; readonly values: string };
}): Promise<readonly Secret[]> {
  const { file, values = [], names } = options;
  const lines = file === undefined ? values : await readKeyFile(file, names.file);
  const keys = lines.map((line) => line.trim()).filter((line) => line !== "");
  if (keys.length === 0) {
    throw new ConfigInvalidError(`no API key: set ${names.values}, or put one in a file and set ${names.file}`);
  }
  return keys.map((key) => new Secret(key));
}

async function readKeyFile(file: string, name: string): Promise<readonly string[]> {
  try {
    return (await readFile(file, "utf8")).split(/\r?\n/);
  } catch (thrown) {
    throw new ConfigInvalidError(`${name}: cannot read ${file}: ${toError(thrown).message}`);
  }
}
