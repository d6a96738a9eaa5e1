// Compiles test/fixtures/tron/contracts/*.sol into contracts.json beside them, with the solc of package.json:
// `node scripts/compile-tron-contracts.mjs`. The double of a TRON node deploys these.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import solc from "solc";

const folder = path.resolve(import.meta.dirname, "../test/fixtures/tron/contracts");
const names = readdirSync(folder).filter((name) => name.endsWith(".sol"));
const settings = {
  metadata: { bytecodeHash: "none" },
  evmVersion: "paris",
  optimizer: { enabled: true, runs: 200 },
};
const sources = Object.fromEntries(
  names.map((name) => [name, { content: readFileSync(path.join(folder, name), "utf8") }]),
);
const input = {
  language: "Solidity",
  sources,
  settings: { ...settings, outputSelection: { "*": { "*": ["evm.bytecode.object"] } } },
};
const output = JSON.parse(solc.compile(JSON.stringify(input)));
const failed = (output.errors ?? []).filter(({ severity }) => severity === "error");
if (failed.length > 0) throw new Error(failed[0].formattedMessage);
const codes = {};
for (const name of names) {
  for (const [contract, { evm }] of Object.entries(output.contracts[name])) codes[contract] = evm.bytecode.object;
}
writeFileSync(
  path.join(folder, "contracts.json"),
  `${JSON.stringify({ compiler: solc.version(), settings, codes }, null, 2)}\n`,
);
