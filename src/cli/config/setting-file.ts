import { readFile } from "node:fs/promises";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";

/** The text of a file that a variable names. @throws {ConfigInvalidError} naming both, when it cannot be read. */
export async function readSettingFile(variable: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (thrown) {
    throw new ConfigInvalidError(`${variable}: cannot read ${file}: ${toError(thrown).message}`);
  }
}
