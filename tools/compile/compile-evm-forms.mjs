// Compiles test/fixtures/evm/forms.sol and market.sol into forms.json beside them: `node
// tools/compile/compile-evm-forms.mjs`. It also compiles v3.sol, split.sol and hostile.sol into trading.json. The
// output has the creation code of every deployable contract, including those of OpenZeppelin that they name.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { compile, compiler, root } from "./solidity.mjs";

const folder = path.join(root, "test", "fixtures", "evm");
const borrowed = ["ERC1967Proxy", "TransparentUpgradeableProxy", "BeaconProxy", "UpgradeableBeacon"];
const settings = {
  evmVersion: "cancun",
  metadata: { bytecodeHash: "none" },
  optimizer: { enabled: true, runs: 200 },
};
/** Its swap has too many values for the stack. */
const throughIr = { ...settings, viaIR: true };

function write(own, out, settings) {
  const codes = {};
  for (const [file, contracts] of Object.entries(compile(folder, own, settings, ["evm.bytecode.object"]))) {
    for (const [name, { evm }] of Object.entries(contracts)) {
      const isWanted = own.includes(file) || borrowed.includes(name);
      if (isWanted && evm.bytecode.object !== "") codes[name] = evm.bytecode.object;
    }
  }
  writeFileSync(path.join(folder, out), `${JSON.stringify({ compiler, settings, codes }, null, 2)}\n`);
}

write(["forms.sol", "market.sol"], "forms.json", settings);
write(["v3.sol", "split.sol", "hostile.sol"], "trading.json", throughIr);
