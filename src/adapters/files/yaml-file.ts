import { readFile } from "node:fs/promises";
import { parse } from "yaml";

/**
 * The content of a YAML file. Throws the error of the read, or an error with the position at which the text is not
 * valid YAML.
 */
export async function readYaml(file: string): Promise<unknown> {
  // A file of settings needs no aliases, and aliases can expand a few lines to any size.
  return parse(await readFile(file, "utf8"), { maxAliasCount: 0, prettyErrors: true });
}
