// Writes data/known-*.csv, the published bridges, protocols and tokens: `node tools/refresh/refresh-known.mjs`. No
// address is typed in here. Every address comes from a pinned package (known/packages.mjs) with checked bytes and
// licence, and is validated before it is written. Equal packages give equal bytes. Needs npm and tar, and Node 24.
//
// data/labels.csv holds the best known ones, chosen by hand (refresh-labels.mjs). Its content is not repeated here.
// Each file is a separate list, with a size that sets the required similarity of an imitation (decision 0004). Up to
// 2,048 well-known addresses need one hex digit more than the best known, and the others need another digit.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAddress } from "../../src/chains/address.ts";
import { toChecksumAddress } from "../../src/chains/evm/evm-address.ts";
import { findChain } from "../../src/chains/registry.ts";
import { contracts } from "./known/contracts.mjs";
import { fetchPackages, provenance } from "./known/packages.mjs";
import { tokens } from "./known/tokens.mjs";

const data = new URL("../../data/", import.meta.url);
/** Most well-known addresses of one kind and family, or of one chain's tokens: 2^-21 a check, at 32 bits. */
const WELL_KNOWN_MOST = 2_048;
const MAX_BYTES = 3 * 1024 * 1024;
const COLUMNS = ["chain", "address", "name", "kind", "source", "date", "licence", "full_name"];

/** Addresses without an owner, and placeholders of address books for "none" or for the chain's own coin. */
const PLACEHOLDER = /^0x(0{36}[0-9a-f]{4}|0{36}dead|(.)\2{39}|dead0{36})$/;
/** Test networks in the registry: their assets have no value. */
const TESTNETS = new Set(["97", "17000", "43113", "80002", "84532", "421614", "560048", "11155111", "11155420"]);
/** Chains with their own coin as a contract among the padded ones, such as Polygon's at 0x...1010. */
const OWN_COINS = new Set(["0x0000000000000000000000000000000000001010", "0x000000000000000000000000000000000000800a"]);

const refused = new Map();
const folder = mkdtempSync(join(tmpdir(), "known-"));
try {
  const packages = fetchPackages(folder);
  const listed = await collect(tokens(packages), tokenScope);
  const deployed = await collect(contracts(packages), familyScope);
  write(rank(listed, deployed));
} finally {
  rmSync(folder, { recursive: true });
}

function tokenScope({ chain, address }) {
  return `${chain} ${address}`;
}

function familyScope({ family, address }) {
  return `${family} ${address}`;
}

/** The distinct addresses in the order of the books, each with its books. The first book names the address. */
async function collect(found, scopeOf) {
  const byScope = new Map();
  for await (const item of found) {
    const row = readRow(item);
    if (row === undefined) continue;
    const known = byScope.get(scopeOf(row));
    if (known === undefined) byScope.set(scopeOf(row), { ...row, books: new Set([item.key]) });
    else {
      known.books.add(item.key);
      known.wellKnown ||= row.wellKnown;
    }
  }
  return byScope;
}

/** Undefined, and counted, for a row without a name, or without a valid address on a chain of the registry. */
function readRow({ chain: id, address: text, name: shown, kind = "token", key, wellKnown = false, fullName }) {
  const chain = findChain(id);
  if (chain === undefined || TESTNETS.has(chain.id)) return refuse(key, "chain");
  const parsed = parseAddress(chain.family, text ?? "");
  if (!parsed.ok) return refuse(key, "address");
  const address = parsed.value;
  if (PLACEHOLDER.test(address) && !OWN_COINS.has(address)) return refuse(key, "placeholder");
  const name = cell(shown ?? "");
  if (name === "") return refuse(key, "name");
  const full = cell(fullName ?? "");
  return {
    chain: chain.id,
    family: chain.family,
    address,
    name,
    kind,
    key,
    wellKnown,
    fullName: full === name ? "" : full,
  };
}

function refuse(key, why) {
  refused.set(`${key} ${why}`, (refused.get(`${key} ${why}`) ?? 0) + 1);
  return undefined;
}

/** One line of displayed text, without characters that CSV would quote. */
function cell(text) {
  return text
    .replaceAll(/[\p{C}",\s]+/gu, " ")
    .trim()
    .slice(0, 60)
    .trim();
}

/** The rows of each file: by the number of books, then by curated books, then by chain and name. */
function rank(listed, deployed) {
  const best = bestKnown();
  const tokenRows = [...listed.values()].filter((row) => !best.has(tokenScope(row)));
  const contractRows = [...deployed.values()].filter(
    (row) => !best.has(familyScope(row)) && !listed.has(tokenScope(row)),
  );
  const groups = [
    ...Map.groupBy(tokenRows, ({ chain }) => chain).values(),
    ...Map.groupBy(contractRows, ({ kind, family }) => `${kind} ${family}`).values(),
  ];
  const known = [];
  const others = [];
  for (const group of groups) {
    const ranked = group.toSorted((a, b) => Number(b.wellKnown) - Number(a.wellKnown) || b.books.size - a.books.size);
    known.push(...ranked.slice(0, WELL_KNOWN_MOST));
    others.push(...ranked.slice(WELL_KNOWN_MOST));
  }
  return {
    "known-well.csv": known,
    "known-others.csv": others.filter(({ books, kind }) => kind !== "token" || books.size > 1),
  };
}

/** The content of data/labels.csv: tokens on their chain, all others in their family. */
function bestKnown() {
  const scopes = new Set();
  for (const line of readFileSync(new URL("labels.csv", data), "utf8").trimEnd().split("\n").slice(1)) {
    const [id, text, , kind] = line.split(",");
    const chain = findChain(id);
    const parsed = parseAddress(chain.family, text ?? "");
    const row = { chain: chain.id, family: chain.family, address: parsed.value };
    scopes.add(kind === "token" ? tokenScope(row) : familyScope(row));
  }
  return scopes;
}

function write(files) {
  let bytes = 0;
  for (const [name, rows] of Object.entries(files)) {
    const lines = rows.toSorted(inOrder).map((row) => {
      const address = row.family === "evm" ? toChecksumAddress(row.address) : row.address;
      const cells = { ...row, ...provenance(row.key), address, full_name: row.fullName };
      return COLUMNS.map((column) => cells[column]).join(",");
    });
    const text = `${[COLUMNS.join(","), ...lines].join("\n")}\n`;
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_BYTES) throw new Error(`${bytes} bytes: more than ${MAX_BYTES}`);
    writeFileSync(new URL(name, data), text);
    console.log(`${name}: ${rows.length} rows, ${Buffer.byteLength(text)} bytes`);
  }
  for (const [what, count] of [...refused].sort()) console.log(`refused: ${what} ${count}`);
}

/** Chains in the order of their numbers, then kind, name and address, whatever the locale. */
function inOrder(a, b) {
  const keyOf = ({ chain, kind, name, address }) => [chain.padStart(12, "0"), kind, name, address].join(" ");
  const [left, right] = [keyOf(a), keyOf(b)];
  return left < right ? -1 : Number(left > right);
}
