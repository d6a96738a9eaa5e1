// Compiles contracts/probe.sol into src/service/token-security/probe.generated.ts: `node scripts/compile-probe.mjs`. Runtime
// code, since it is never deployed. Of an old machine, so that chains without the newest instructions run it, too.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import solc from "solc";

const root = path.resolve(import.meta.dirname, "..");
const settings = {
  evmVersion: "london",
  metadata: { appendCBOR: false },
  optimizer: { enabled: true, runs: 200 },
  viaIR: true,
  outputSelection: { "*": { Probe: ["evm.deployedBytecode.object", "evm.methodIdentifiers"] } },
};
const sources = { "probe.sol": { content: readFileSync(path.join(root, "contracts", "probe.sol"), "utf8") } };
const output = JSON.parse(solc.compile(JSON.stringify({ language: "Solidity", sources, settings })));
const failed = (output.errors ?? []).filter(({ severity }) => severity === "error");
if (failed.length > 0) throw new Error(failed[0].formattedMessage);
const { deployedBytecode, methodIdentifiers } = output.contracts["probe.sol"].Probe.evm;
const [run] = Object.entries(methodIdentifiers)
  .filter(([name]) => name.startsWith("run("))
  .map(([, selector]) => selector);
writeFileSync(
  path.join(root, "src", "service", "token-security", "probe.generated.ts"),
  `// Written by scripts/compile-probe.mjs from contracts/probe.sol. Compiler: ${solc.version()}.

/** Runtime code of the probe, 0x and hex. */
export const probeCode =
  "0x${deployedBytecode.object}";

/** Selector of its only question, eight hex digits. */
export const runSelector = "${run}";
`,
);
