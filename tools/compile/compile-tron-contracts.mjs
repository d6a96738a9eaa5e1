// Compiles test/fixtures/tron/contracts/*.sol into contracts.json beside them: `node
// tools/compile/compile-tron-contracts.mjs`. The stand-in for a TRON node deploys these contracts.
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { compile, compiler, root } from "./solidity.mjs";

const folder = path.join(root, "test", "fixtures", "tron", "contracts");
const names = readdirSync(folder).filter((name) => name.endsWith(".sol"));
const settings = {
  metadata: { bytecodeHash: "none" },
  evmVersion: "paris",
  optimizer: { enabled: true, runs: 200 },
};
const compiled = compile(folder, names, settings, ["evm.bytecode.object"]);
const codes = {};
for (const name of names) {
  for (const [contract, { evm }] of Object.entries(compiled[name])) codes[contract] = evm.bytecode.object;
}
writeFileSync(path.join(folder, "contracts.json"), `${JSON.stringify({ compiler, settings, codes }, null, 2)}\n`);
