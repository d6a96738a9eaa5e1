// Compiles contracts/probe.sol into src/service/token-security/trade-simulation/probe.generated.ts: `node
// tools/compile/compile-probe.mjs`. The output is runtime code, since it is never deployed. It targets an old EVM
// version, so that chains without the newest instructions run it, too.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { compile, compiler, root } from "./solidity.mjs";

const settings = {
  evmVersion: "london",
  metadata: { appendCBOR: false },
  optimizer: { enabled: true, runs: 200 },
  viaIR: true,
};
const wanted = ["evm.deployedBytecode.object", "evm.methodIdentifiers"];
const { Probe } = compile(path.join(root, "contracts"), ["probe.sol"], settings, wanted)["probe.sol"];
const { deployedBytecode, methodIdentifiers } = Probe.evm;
const [run] = Object.entries(methodIdentifiers)
  .filter(([name]) => name.startsWith("run("))
  .map(([, selector]) => selector);
writeFileSync(
  path.join(root, "src", "service", "token-security", "probe.generated.ts"),
  `// Written by tools/compile/compile-probe.mjs from contracts/probe.sol. Compiler: ${compiler}.

/** Runtime code of the probe, 0x and hex. */
export const probeCode =
  "0x${deployedBytecode.object}";

/** Selector of its only question, eight hex digits. */
export const runSelector = "${run}";
`,
);
