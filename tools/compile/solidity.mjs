// The compiler of package.json, for the compile-*.mjs scripts.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import solc from "solc";

export const root = path.resolve(import.meta.dirname, "../..");
export const compiler = solc.version();

/** Imports come from packages. */
function read(name) {
  const file = path.join(root, "node_modules", name);
  return existsSync(file) ? { contents: readFileSync(file, "utf8") } : { error: "not found" };
}

/**
 * The compiler's output for every contract of `files` below `folder`, and of their imports. The files know each other
 * by name without folders: {name: {contract: {evm: ...}}}. @throws its first error.
 */
export function compile(folder, files, settings, wanted) {
  const sources = Object.fromEntries(
    files.map((file) => [path.basename(file), { content: readFileSync(path.join(folder, file), "utf8") }]),
  );
  const input = { language: "Solidity", sources, settings: { ...settings, outputSelection: { "*": { "*": wanted } } } };
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input), { import: read }));
  const failed = errors.find(({ severity }) => severity === "error");
  if (failed !== undefined) throw new Error(failed.formattedMessage);
  return contracts;
}
