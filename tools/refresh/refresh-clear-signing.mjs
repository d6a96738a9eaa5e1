// Writes data/clear-signing.csv and data/clear-signing-others.csv, the contracts that the public registry of
// clear-signing descriptors (ERC-7730, CC0) names with their owners:
//
//   node tools/refresh/refresh-clear-signing.mjs DESCRIPTORS.ndjson
//
// A line of the input is a JSON object: `descriptor` (its path in the registry), `owner`, `contract`, `deployments`.
// Equal input gives equal bytes. A row that another bundled file has on its chain is not written again.
//
// The first file is a short list of what people meet most, so that imitations of it need few equal digits (decision
// 0004). A label says that a contract is what its name says. It does not say that the contract is sound.

import { readFileSync, writeFileSync } from "node:fs";
import { parseAddress } from "../../src/chains/address.ts";
import { toChecksumAddress } from "../../src/chains/evm/evm-address.ts";
import { findChain } from "../../src/chains/registry.ts";

const data = new URL("../../data/", import.meta.url);
const DATE = "2026-11-30";
const COLUMNS = ["chain", "address", "name", "kind", "source", "date", "licence"];
/** The bundled files that already label contracts. */
const OTHERS = ["labels.csv", "services.csv", "known-well.csv", "known-others.csv"];
/** Most addresses of one kind and family in the short list: 28 bits are enough there. */
const MOST = 128;

/** Folders and files of the registry whose contracts people meet most. */
const BEST_KNOWN =
  /^(1inch|aave|benqi|consensus-specs|ethena|kyberswap|lido|lifi|okx|paraswap|quickswap|starkgate|uniswap)\/|^morpho\/calldata-Morpho/;

/**
 * Left out: wallets and their batching code, which act for every caller (Safe's are in a package of Safe), tokens that
 * are no vaults, contracts for development, and small projects that only the registry knows.
 */
const LEFT_OUT =
  /^(safe|tether|weth|fellow-fund|avvatar-labs-alia)\/|-dev\.json$|\/calldata-(lbtc-|TBTC\.json|wct\.json|PftNft)/;

/** Contracts that make every call for every caller. The name says so, hence none counts as a service for allowances. */
const FOR_EVERY_CALLER = /^morpho\/calldata-MorphoBundlerV3/;

const TESTNETS = new Set(["44787", "560048", "11155111"]);

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("name the file of descriptors");
const known = new Set(OTHERS.flatMap(keysOf));
const best = [];
const others = [];
for (const line of readFileSync(file, "utf8").trimEnd().split("\n")) {
  const { descriptor, owner, contract, deployments } = JSON.parse(line);
  const name = descriptor.replace("registry/", "");
  if (LEFT_OUT.test(name)) continue;
  for (const { chain_id: id, address } of deployments) {
    const row = rowOf(String(id), address, nameOf(name, owner, contract), descriptor);
    if (row === undefined || known.has(`${row.chain} ${row.address}`)) continue;
    known.add(`${row.chain} ${row.address}`);
    (BEST_KNOWN.test(name) ? best : others).push(row);
  }
}
if (new Set(best.map(({ address }) => address)).size > MOST) throw new Error(`more than ${MOST} best known ones`);
write("clear-signing.csv", best);
write("clear-signing-others.csv", others);

/** Chain and address of the rows of a bundled file. A vault that is a token has a further row as a protocol. */
function keysOf(name) {
  const lines = readFileSync(new URL(name, data), "utf8").trimEnd().split("\n");
  return lines
    .map((line) => line.split(","))
    .filter(([, address, , kind]) => address?.startsWith("0x") && kind !== "token")
    .map(([chain, address]) => `${chain} ${address}`);
}

/** Undefined where the chain is no EVM chain with assets of worth, or the address is one of the system's. */
function rowOf(id, text, name, source) {
  const chain = findChain(id);
  const parsed = parseAddress("evm", text);
  if (chain?.family !== "evm" || TESTNETS.has(chain.id) || !parsed.ok || /^0x0{36}/.test(parsed.value))
    return undefined;
  const address = toChecksumAddress(parsed.value);
  return {
    chain: chain.id,
    address,
    name,
    kind: "protocol",
    source: `clear-signing ${source}`,
    date: DATE,
    licence: "CC0",
  };
}

function nameOf(name, owner, contract) {
  const stem = name.replace(/^.*\/(calldata-)?|\.json$/g, "").replaceAll(/[-_]+/g, " ");
  const role = contract ?? stem;
  const called = role.toLowerCase().startsWith(owner.toLowerCase()) ? role : `${owner} ${role}`;
  const whole = FOR_EVERY_CALLER.test(name) ? `${called} multicall` : called;
  return whole
    .replaceAll(/[\p{C}",\s]+/gu, " ")
    .trim()
    .slice(0, 60)
    .trim();
}

function write(name, rows) {
  const keyOf = ({ chain, name: called, address }) => [chain.padStart(12, "0"), called, address].join(" ");
  const lines = rows
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map((row) => COLUMNS.map((column) => row[column]).join(","));
  writeFileSync(new URL(name, data), `${[COLUMNS.join(","), ...lines].join("\n")}\n`);
  console.log(`${name}: ${lines.length} rows`);
}
