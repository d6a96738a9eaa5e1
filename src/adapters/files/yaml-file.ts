import { readFile } from "node:fs/promises";
import { parse } from "yaml";

/** The content of a YAML file. Throws what reading throws, or an error that says where the text is no YAML. */
export async function readYaml(file: string): Promise<unknown> {
  // A file of settings repeats nothing: aliases can grow a few lines to any size.
  return parse(await readFile(file, "utf8"), { maxAliasCount: 0, prettyErrors: true });
}
