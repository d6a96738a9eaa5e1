// Compiles contracts/observer.sol into src/service/evm-transaction-security/observer.generated.ts, of an old machine so that
// chains without the newest instructions run it, too; and test/fixtures/evm/drains.sol into drains.json beside it:
// `node scripts/compile-observer.mjs`. Runtime code, since nothing of it is deployed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import solc from "solc";

const root = path.resolve(import.meta.dirname, "..");

function read(name) {
  const file = path.join(root, "node_modules", name);
  return existsSync(file) ? { contents: readFileSync(file, "utf8") } : { error: "not found" };
}

function compile(folder, file, evmVersion) {
  const settings = {
    evmVersion,
    metadata: { appendCBOR: false },
    optimizer: { enabled: true, runs: 200 },
    viaIR: true,
    outputSelection: { "*": { "*": ["evm.deployedBytecode.object", "evm.methodIdentifiers"] } },
  };
  const sources = { [file]: { content: readFileSync(path.join(root, folder, file), "utf8") } };
  const output = JSON.parse(
    solc.compile(JSON.stringify({ language: "Solidity", sources, settings }), { import: read }),
  );
  const failed = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (failed.length > 0) throw new Error(failed[0].formattedMessage);
  return output.contracts[file];
}

const { Observer } = compile("contracts", "observer.sol", "london");
const [run] = Object.values(Observer.evm.methodIdentifiers);
writeFileSync(
  path.join(root, "src", "service", "evm-transaction-security", "observer.generated.ts"),
  `// Written by scripts/compile-observer.mjs from contracts/observer.sol. Compiler: ${solc.version()}.

/** Runtime code of the observer, 0x and hex. */
export const observerCode =
  "0x${Observer.evm.deployedBytecode.object}";

/** Selector of its only question, eight hex digits. */
export const observeSelector = "${run}";
`,
);

const codes = Object.fromEntries(
  Object.entries(compile(path.join("test", "fixtures", "evm"), "drains.sol", "cancun"))
    .map(([name, { evm }]) => [name, evm.deployedBytecode.object])
    .filter(([, code]) => code !== ""),
);
writeFileSync(
  path.join(root, "test", "fixtures", "evm", "drains.json"),
  `${JSON.stringify({ compiler: solc.version(), codes }, null, 2)}\n`,
);
