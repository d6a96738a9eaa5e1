// Compiles contracts/observer.sol into src/service/evm-transactions/observer.generated.ts. It targets an old EVM
// version, so that chains without the newest instructions run it, too. It also compiles test/fixtures/evm/drains.sol
// into drains.json beside it: `node tools/compile/compile-observer.mjs`. The output is runtime code, since neither is
// deployed.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { compile, compiler, root } from "./solidity.mjs";

const fixtures = path.join(root, "test", "fixtures", "evm");

function runtimeOf(folder, file, evmVersion) {
  const settings = {
    evmVersion,
    metadata: { appendCBOR: false },
    optimizer: { enabled: true, runs: 200 },
    viaIR: true,
  };
  return compile(folder, [file], settings, ["evm.deployedBytecode.object", "evm.methodIdentifiers"])[file];
}

const { Observer } = runtimeOf(path.join(root, "contracts"), "observer.sol", "london");
const [run] = Object.values(Observer.evm.methodIdentifiers);
writeFileSync(
  path.join(root, "src", "service", "evm-transaction-security", "observer.generated.ts"),
  `// Written by tools/compile/compile-observer.mjs from contracts/observer.sol. Compiler: ${compiler}.

/** Runtime code of the observer, 0x and hex. */
export const observerCode =
  "0x${Observer.evm.deployedBytecode.object}";

/** Selector of its only question, eight hex digits. */
export const observeSelector = "${run}";
`,
);

const codes = Object.fromEntries(
  Object.entries(runtimeOf(fixtures, "drains.sol", "cancun"))
    .map(([name, { evm }]) => [name, evm.deployedBytecode.object])
    .filter(([, code]) => code !== ""),
);
writeFileSync(path.join(fixtures, "drains.json"), `${JSON.stringify({ compiler, codes }, null, 2)}\n`);
