/**
 * Writes src/chains/evm/evm-endings.generated.ts: endings that launchpads grind for their tokens, by chain, from the
 * bundled lists. A second run writes the same bytes. Run it after a change of the lists.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { LabelFiles } from "../../src/adapters/files/labels/label-files.ts";
import { bundled } from "../../src/cli/program/package-root.ts";
import { commonEndings, evmTokensByChain } from "./common-endings.ts";

const lists = await new LabelFiles(bundled.labels, bundled.labels).load();
const rows = [...evmTokensByChain(lists)].flatMap(([chain, tokens]) => {
  const endings = commonEndings(tokens);
  return endings.length === 0 ? [] : [`  "${chain}": [${endings.map((ending) => `"${ending}"`).join(", ")}],`];
});
const text = `/** Printed by tools/refresh/refresh-endings.ts from data/*.csv as of their rows' dates: endings of tokens by chain. */
export const evmEndings: Readonly<Record<string, readonly string[]>> = {
${rows.join("\n")}
};
`;
writeFileSync(path.resolve(import.meta.dirname, "..", "..", "src", "chains", "evm", "evm-endings.generated.ts"), text);
