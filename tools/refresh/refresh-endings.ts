/**
 * Writes src/chains/evm/evm-endings.generated.ts: endings that launchpads grind their tokens to have, by chain, as the bundled
 * lists show them. Run twice it writes the same bytes; run it after the lists changed.
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
