// Compiles test/fixtures/evm/forms.sol and market.sol into forms.json beside them, and v3.sol, split.sol and hostile.sol into trading.json: `node
// scripts/compile-evm-forms.mjs`.
// Creation code of every contract that can be deployed, those of OpenZeppelin that they name among them.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import solc from "solc";

const root = path.resolve(import.meta.dirname, "..");
const folder = path.join(root, "test", "fixtures", "evm");
const borrowed = ["ERC1967Proxy", "TransparentUpgradeableProxy", "BeaconProxy", "UpgradeableBeacon"];

function read(name) {
  const file = path.join(root, "node_modules", name);
  return existsSync(file) ? { contents: readFileSync(file, "utf8") } : { error: "not found" };
}

const settings = {
  evmVersion: "cancun",
  metadata: { bytecodeHash: "none" },
  optimizer: { enabled: true, runs: 200 },
};
/** Its swap holds too many values for the stack. */
const throughIr = { ...settings, viaIR: true };
const outputSelection = { "*": { "*": ["evm.bytecode.object"] } };

function compile(own, out, settings) {
  const sources = Object.fromEntries(
    own.map((file) => [file, { content: readFileSync(path.join(folder, file), "utf8") }]),
  );
  const input = JSON.stringify({ language: "Solidity", sources, settings: { ...settings, outputSelection } });
  const output = JSON.parse(solc.compile(input, { import: read }));
  const failed = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (failed.length > 0) throw new Error(failed[0].formattedMessage);
  const codes = {};
  for (const [file, contracts] of Object.entries(output.contracts)) {
    for (const [name, { evm }] of Object.entries(contracts)) {
      const isWanted = own.includes(file) || borrowed.includes(name);
      if (isWanted && evm.bytecode.object !== "") codes[name] = evm.bytecode.object;
    }
  }
  writeFileSync(path.join(folder, out), `${JSON.stringify({ compiler: solc.version(), settings, codes }, null, 2)}\n`);
}

compile(["forms.sol", "market.sol"], "forms.json", settings);
compile(["v3.sol", "split.sol", "hostile.sol"], "trading.json", throughIr);
