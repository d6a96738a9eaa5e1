// Compiles test/corpus/sources into test/corpus/*.json: `node tools/compile/compile-corpus.mjs [DIR]`. The solc of
// package.json compiles modern contracts. DIR holds a node_modules with older compilers under the names solc4 and solc5
// X. Without DIR their artifacts stay unchanged.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import own from "solc";

const root = path.resolve(import.meta.dirname, "../..");
const corpus = path.join(root, "test", "corpus");
const sources = path.join(corpus, "sources");
const [older] = process.argv.slice(2);
const files = readdirSync(sources).map((file) => path.basename(file, ".sol"));
/** Later contracts, in separate artifacts: additions there leave the other artifacts unchanged. */
const later = ["consent", "taking", "making"];
const latest = ["extensions"];
const others = ["old", "token", ...later, ...latest];
const modern = files.filter((file) => !others.includes(file));
/** Contracts in the style of 2020 to 2022, for compilers since 0.7; large. */
const middle = ["reflection", "safe-math"];

/** Immutables are zero in the compiler's output. The values that a constructor sets differ from zero. */
function withImmutables(hex, references, contract) {
  let code = hex;
  for (const [at, places] of Object.values(references ?? {}).entries()) {
    const value = contract === "OzCapped" ? 10n ** 27n : BigInt(`0x${String(at + 1).repeat(40)}`);
    const word = value.toString(16).padStart(64, "0");
    for (const { start, length } of places) code = code.slice(0, start * 2) + word + code.slice((start + length) * 2);
  }
  return code;
}

function read(name) {
  const file = [sources, path.join(root, "node_modules")].map((dir) => path.join(dir, name)).find(existsSync);
  return file ? { contents: readFileSync(file, "utf8") } : { error: "not found" };
}

function compile(solc, names, settings, out) {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(
      names.map((name) => [`${name}.sol`, read(`${name}.sol`)]).map(([k, v]) => [k, { content: v.contents }]),
    ),
    settings: {
      ...settings,
      outputSelection: { "*": { "*": ["evm.deployedBytecode.object", "evm.deployedBytecode.immutableReferences"] } },
    },
  };
  const text = JSON.stringify(input);
  const old = solc.version().startsWith("0.4");
  const output = JSON.parse(old ? solc.compileStandardWrapper(text) : solc.compile(text, { import: read }));
  const failed = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (failed.length > 0) throw new Error(failed[0].formattedMessage);
  const codes = {};
  for (const name of names) {
    for (const [contract, { evm }] of Object.entries(output.contracts[`${name}.sol`])) {
      const { object, immutableReferences } = evm.deployedBytecode;
      if (object === "" || contract === "SafeMath" || contract === "OldBase") continue;
      codes[contract] = withImmutables(object, immutableReferences, contract);
    }
  }
  writeFileSync(
    path.join(corpus, `${out}.json`),
    `${JSON.stringify({ compiler: solc.version(), settings, codes }, null, 2)}\n`,
  );
}

const base = { metadata: { bytecodeHash: "none" }, evmVersion: "cancun" };
const small = modern.filter((file) => !middle.includes(file));
const optimizer = { enabled: true, runs: 200 };
compile(own, modern, { ...base, optimizer }, "solc-0.8.37-runs200");
compile(own, later, { ...base, optimizer }, "solc-0.8.37-runs200-powers");
compile(own, latest, { ...base, optimizer }, "solc-0.8.37-runs200-extensions");
for (const [names, group] of [
  [small, ""],
  [later, "-powers"],
  [latest, "-extensions"],
]) {
  compile(own, names, { ...base, optimizer: { enabled: false } }, `solc-0.8.37-plain${group}`);
  compile(own, names, { ...base, viaIR: true, optimizer }, `solc-0.8.37-ir${group}`);
}
if (older) {
  const from = createRequire(path.resolve(older, "package.json"));
  compile(from("solc4"), ["old"], { optimizer: { enabled: true, runs: 200 } }, "solc-0.4.26-runs200");
  compile(from("solc4"), ["old"], { optimizer: { enabled: false } }, "solc-0.4.26-plain");
  compile(from("solc5"), ["old"], { optimizer: { enabled: true, runs: 200 } }, "solc-0.5.17-runs200");
  compile(from("solc7"), middle, { optimizer: { enabled: true, runs: 200 } }, "solc-0.7.6-runs200");
}
