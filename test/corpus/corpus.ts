import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseHex } from "../../src/evm-analysis/machine/code.ts";

/** One contract, as one compiler built it. */
interface Artifact {
  readonly contract: string;
  /** Compiler and settings: the name of the file. */
  readonly build: string;
  readonly code: Uint8Array;
}

/** Every checked-in artifact, in the order of files and of contracts in them. */
export function readCorpus(): readonly Artifact[] {
  const files = globSync(path.join(import.meta.dirname, "*.json")).sort();
  return files.flatMap((file) => {
    const { codes }: { codes: Readonly<Record<string, string>> } = JSON.parse(readFileSync(file, "utf8"));
    const build = path.basename(file, ".json");
    return Object.entries(codes).map(([contract, hex]) => ({
      contract,
      build,
      code: parseHex(hex) ?? new Uint8Array(),
    }));
  });
}
