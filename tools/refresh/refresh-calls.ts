/**
 * Writes the functions of services that public clear-signing descriptors (ERC-7730) name:
 * `node tools/refresh/refresh-calls.ts DESCRIPTORS.ndjson`. Each line is `{ descriptor, functions: [{ function }] }`.
 * Each address and each list of bytes gets a role by its name (src/chains/evm/calls/argument-roles.ts). A name without
 * a row below ends the run, since an address without a role counts as one that receives nothing.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { accountBatches, serviceBatches } from "../../src/chains/evm/calls/batch-calls.ts";
import { signatures } from "../../src/chains/evm/calls/token-calls.ts";
import { wrappers } from "../../src/chains/evm/calls/wrappers.ts";
import { byFunction, roleOfAddress, roleOfBytes, roleOfValue } from "./roles-by-name.ts";

const target = path.join(import.meta.dirname, "../../src/chains/evm/calls/tables/descriptor-calls.generated.ts");
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: node tools/refresh/refresh-calls.ts DESCRIPTORS.ndjson");

/** Functions with readers of their own. */
const readElsewhere = new Set(
  [signatures, wrappers, accountBatches, serviceBatches].flatMap((table) => Object.keys(table)),
);

/** Functions whose effect stands behind a hash, or in votes of others. */
const hidden = new Set([
  "approveHash",
  "prepareHotfix",
  "executeHotfix",
  // Orders with all addresses in numbers, and a payload that stands behind the arguments.
  "fillOrder",
  "fillOrderArgs",
  "fillContractOrder",
  "fillContractOrderArgs",
  "create",
  // Administration of a contract.
  "renounceOwnership",
  "pause",
  "burn",
  "unpause",
  "setupToL2",
]);

/** Splits at commas outside brackets. */
function split(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character === "," && depth === 0) {
      parts.push(part);
      part = "";
    } else part += character;
  }
  return part.trim() === "" ? parts : [...parts, part];
}

/** The parameter with its role in the place of its name. `paths` are the names of the tuples around it. */
function parameter(text: string, owner: string, paths: readonly string[]): string {
  const tuple = /^\((.*)\)((?:\[\d*\])*)\s*(\w*)$/s.exec(text.trim());
  if (tuple !== null) {
    const [, members = "", arrays = "", name = ""] = tuple;
    return `(${split(members)
      .map((each) => parameter(each, owner, [...paths, name]))
      .join(",")})${arrays}`;
  }
  const [type = "", name = ""] = text.trim().split(/\s+/);
  const canonical = type.replace(/^(u?int)(?=\[|$)/, "$1256");
  const role = roleOf(canonical, name, owner, paths);
  return role === "" ? canonical : `${canonical} ${role}`;
}

function roleOf(type: string, name: string, owner: string, paths: readonly string[]): string {
  // The bridge must receive the least amount of the trade before it.
  if (name === "minAmount" && owner.startsWith("swapAndStart")) return "least";
  const own = byFunction[owner]?.[name];
  if (own !== undefined) return own;
  if (type.startsWith("address")) return roleOfAddress(name, owner);
  if (type === "bool") return /^_?approved?$|^isAuthorized$/.test(name) ? "granted" : "";
  if (type === "bytes" || type === "bytes[]") return roleOfBytes([...paths, name].join("."));
  return roleOfValue(type, name);
}

interface Descriptor {
  readonly descriptor: string;
  readonly functions: readonly { readonly function: string }[];
}

const rows = new Map<string, readonly [source: string, text: string]>();
for (const line of readFileSync(file, "utf8")
  .split("\n")
  .filter((each) => each !== "")) {
  const { descriptor, functions } = JSON.parse(line) as Descriptor;
  for (const { function: text } of functions) {
    const open = text.indexOf("(");
    const name = text.slice(0, open);
    if (hidden.has(name) || name.endsWith("Packed")) continue;
    const inputs = split(text.slice(open + 1, -1)).map((each) => parameter(each, name, []));
    const declared = `${name}(${inputs.join(",")})`;
    const isBound = / (least|most)\b/.test(declared);
    // A route without a bound may take everything, so its bytes must be empty.
    const safe = isBound ? declared : declared.replaceAll(/(bytes(?:\[\])?) route/g, "$1");
    const canonical = declared.replace(/ \w+/g, "");
    if (!rows.has(canonical) && !readElsewhere.has(canonical)) rows.set(canonical, [descriptor, safe]);
  }
}
const lines = [...rows.values()].sort(([, a], [, b]) => (a < b ? -1 : 1));
writeFileSync(
  target,
  `/**
 * Functions that public clear-signing descriptors name, with their arguments named by roles. Written by
 * tools/refresh/refresh-calls.ts. Source: clear-signing-erc7730-registry, CC0.
 */
export const descriptorCalls: readonly (readonly [source: string, text: string])[] = [
${lines.map(([source, text]) => `  [${JSON.stringify(source)}, ${JSON.stringify(text)}],`).join("\n")}
];
`,
);
process.stdout.write(`${lines.length} functions\n`);
