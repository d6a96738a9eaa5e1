// Writes data/labels.csv from published address books. No address is typed in here. Symbols and roles are chosen by
// hand. The addresses come from pinned packages, with bytes that are checked against the hash below.
//
//   node tools/refresh/refresh-labels.mjs
//
// Refuses to write when a package's hash or licence differs, an address is invalid, or a name is missing or ambiguous.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58, createBase58check } from "@scure/base";

const OUT = fileURLToPath(new URL("../../data/labels.csv", import.meta.url));
const LICENCES = ["MIT", "Apache-2.0"];

/** Package, its licence, the day of its version's publication (from the registry), and the hash of its tarball. */
const PACKAGES = table(`
  ledger @ledgerhq/cryptoassets@13.16.0 Apache-2.0 2026-03-31 sha512-yyT+SMefxwB2xgfeVHZrp+0Ie3tpxSBzoW1pUyOIEf5qwX3ytJS5z2nJW1oDVSIs13Wqi92zaC25tkycTm80wg==
  beefy @beefyfinance/blockchain-addressbook@0.59.18 MIT 2026-09-22 sha512-W4R2MjfqdusPurYD9kq0WhcFfZy2yKoZTyyREKqLMkWdXhs/rUqbnNoE3J3smiSkK+ccOSaoZdJvM8Fon14S3Q==
  aave @aave-dao/aave-address-book@4.68.1 MIT 2026-09-16 sha512-Tw1j/0OGN90m6cpaiNwpizxkBq4XzVgJqhz/fWdq9wF7yc2MAghVrsRWrCICBUiG+P7GKYd84mwULH0XVW3QTA==
  wormhole @wormhole-foundation/sdk-base@6.1.5 Apache-2.0 2026-08-22 sha512-ZKs211dUjVGc94okBmIVk/jFPtzq8a8P+OCAkxHZ9MtUyAKXnkOohe7l+Y6sQNXzpPvLuyk0QkLiaLSppDAejQ==
  arbitrum @arbitrum/sdk@4.1.0 Apache-2.0 2026-08-22 sha512-OIGxZj4DHROejCjSkaZEOcHhRktZGMhLAPA+Cyymlp1z7KdWaeN2DW85i6yd2Ks7QeZkv2EvwcBKOJnxoSI5tQ==
  hop @hop-protocol/core@0.0.1-beta.236 MIT 2025-10-02 sha512-rKPdEIcychoztwHzQnsWPNgKbiocbksu7FOO6vH1lW7qK9dbet43Go6sSwcOWN8mxj7TvvKHTFQJMMKiBp+Rhg==
  uniswap @uniswap/sdk-core@7.19.4 MIT 2026-09-28 sha512-jV9qVMMD6qvEATgfFnZ3QgrhIMv5lullzeGPWjyC4+sUctatft+1M+OtAZxxjbFm8NQfJA73hqIeFPOg4cUyoA==
  permit2 @uniswap/permit2-sdk@1.4.0 MIT 2025-10-02 sha512-l/aGhfhB93M76vXs4eB8QNwhELE6bs66kh7F1cyobaPtINaVpMmlJv+j3KmHeHwAZIsh7QXyYzhDxs07u0Pe4Q==
  viem viem@2.57.20 MIT 2026-11-15 sha512-LSvREzKT7xFXpmxW2YFJ/OtcZRkSGLp5zywSgadBf0qQCeqh2+FxHHWyrS2zEG7ZfBWQQvk8HI1i4HPzSMD14g==
`);

/**
 * Spelling as in the row's name. Case is ignored when a symbol is looked up. SYMBOL=Name distinguishes equal symbols.
 */
const TOKENS = table(`
  1 USDT USDC DAI WETH WBTC stETH wstETH LINK UNI SHIB PEPE=Pepe AAVE MKR LDO CRV MATIC BUSD TUSD USDP FRAX LUSD GUSD PYUSD USDe sUSDe USDS FDUSD EURC cbBTC cbETH rETH weETH tBTC ENS GRT=Graph_Token APE SAND MANA ONDO COMP SNX SUSHI BAL 1INCH YFI ENJ BAT ZRX CVX RPL GHO crvUSD PAXG
  10 USDT USDC DAI WETH WBTC OP wstETH LINK SNX AAVE rETH cbETH LUSD
  56 USDT USDC WBNB BTCB ETH Cake DAI BUSD FDUSD LINK UNI SHIB DOGE ADA XRP DOT TWT SFP FLOKI
  137 USDT USDC DAI WETH WBTC WPOL LINK AAVE UNI CRV SUSHI BAL wstETH GHST QUICK SAND stMATIC
  8453 USDC USDbC WETH cbETH cbBTC AERO wstETH DAI EURC DEGEN BRETT weETH
  42161 USDT USDC DAI WETH WBTC ARB GMX LINK UNI wstETH rETH weETH MAGIC FRAX CRV AAVE
  43114 USDT USDC WAVAX WBTC.e WETH.e DAI.e USDC.e USDT.e LINK.e AAVE.e sAVAX BTC.b JOE
  solana SOL USDC USDT EURC RAY JUP BONK WIF PYTH JTO JITOSOL mSOL bSOL ORCA RENDER HNT MEW POPCAT BOME PENGU TRUMP W WBTC
  tron USDT USDC USDD TUSD BTT JST SUN WIN NFT
`);

/** Names of the chains in each book. */
const NAMES = table(`
  beefy ethereum=1 optimism=10 bsc=56 polygon=137 base=8453 arbitrum=42161 avax=43114
  wormhole Ethereum=1 Optimism=10 Bsc=56 Polygon=137 Base=8453 Arbitrum=42161 Avalanche=43114 Solana=solana
  hop ethereum=1 optimism=10 polygon=137 base=8453 arbitrum=42161
`);

const DEXES = table(`
  1 balancer.router sushi.router sushi.masterchef sushi.masterchefV2
  10 velodrome.router velodrome.voter
  56 pancake.router pancake.oldRouter pancake.masterchef biswap.router ape.router mdex.router thena.router bakery.router
  137 quickswap.router sushi.router sushi.minichef apeswap.router balancer.router dfyn.router
  8453 aerodrome.router aerodrome.voter baseSwap.router balancer.router
  42161 sushi.router sushi.minichef ramses.router balancer.router
  43114 joe.router joe.boostedMasterChef pangolin.router lydia.router balancer.router
`);
const UNISWAP = ["nonfungiblePositionManager", "v4PoolManager", "v4PositionManager"];
const AAVE = table(`
  V2 Ethereum Polygon Avalanche
  V3 Ethereum EthereumLido EthereumEtherFi BNB Polygon Arbitrum Optimism Base Avalanche
`);
/**
 * Entry points of ERC-4337, by their names in viem. By their documents, all of these and Permit2 are deployed on every
 * chain of `DEXES`.
 */
const ENTRY_POINTS = table(`
  entryPoint06Address v0.6
  entryPoint07Address v0.7
  entryPoint08Address v0.8
`);
const WORMHOLE = { coreBridge: "Wormhole core bridge", tokenBridge: "Wormhole token bridge", circle: "Circle CCTP" };

const tronBase58check = createBase58check(sha256);
const require = createRequire(import.meta.url);
const work = mkdtempSync(join(tmpdir(), "labels-"));
const rows = [];
try {
  for (const key of Object.keys(PACKAGES)) unpack(key);
  await addTokens();
  await addWormhole();
  addArbitrum();
  addHop();
  await addAave();
  await addDexes();
  addSingletons();
  write();
} finally {
  rmSync(work, { recursive: true });
}

function unpack(key) {
  const [spec, licence, , integrity] = PACKAGES[key];
  const options = { cwd: join(work, key), stdio: ["ignore", "pipe", "ignore"], maxBuffer: 64 << 20 };
  mkdirSync(options.cwd);
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", spec], options));
  if (packed.integrity !== integrity) throw new Error(`${spec}: not the bytes that were reviewed`);
  execFileSync("tar", ["-xzf", packed.filename], options);
  if (JSON.parse(read(key, "package.json")).license !== licence) throw new Error(`${spec}: another licence`);
}

function pathOf(key, file) {
  return join(work, key, "package", file);
}

function read(key, file) {
  return readFileSync(pathOf(key, file), "utf8");
}

function load(key, file) {
  return import(pathToFileURL(pathOf(key, file)).href);
}

/** A symbol means the address that most packages give it. A tie is refused, since any token may use any symbol. */
async function addTokens() {
  const { addressBook } = await load("beefy", "dist/address-book/index.js");
  const aave = JSON.parse(read("aave", "tokenlist.json")).tokens.filter(({ tags }) => tags.includes("underlying"));
  for (const [chain, symbols] of Object.entries(TOKENS)) {
    const beefy = namesOf("beefy").find(([, id]) => id === chain)?.[0];
    const listed = [
      ...ledgerTokens(chain).map((token) => ["ledger", ...token]),
      ...Object.values(addressBook[beefy]?.tokens ?? {}).map((t) => ["beefy", t.symbol, t.address, t.name]),
      ...aave.filter((t) => String(t.chainId) === chain).map((t) => ["aave", t.symbol, t.address, t.name]),
    ];
    for (const [symbol, wanted] of symbols.map((word) => word.split("="))) {
      const votes = new Map();
      for (const [key, ticker, text, name] of listed) {
        if (ticker.toLowerCase() !== symbol.toLowerCase()) continue;
        if (wanted !== undefined && name !== wanted.replaceAll("_", " ")) continue;
        const address = canonical(chain, text);
        votes.set(address, (votes.get(address) ?? new Set()).add(key));
      }
      const [first, second] = [...votes].sort(([, a], [, b]) => b.size - a.size);
      if (first === undefined) throw new Error(`${chain} ${symbol}: in no package`);
      if (first[1].size === second?.[1].size) throw new Error(`${chain} ${symbol}: ambiguous: ${[...votes.keys()]}`);
      const { name } = named(listed, chain, first[0]);
      add(chain, first[0], symbol, "token", [...first[1]][0], name === symbol ? "" : name);
    }
  }
}

/** The first row of the token at `address`; its full name as one cell of CSV. */
function named(listed, chain, address) {
  const [, , , name] = listed.find(([, , text]) => canonical(chain, text) === address);
  return { name: name.replaceAll(/[",\s]+/g, " ").trim() };
}

/**
 * Symbol, address and name. TRC-10 rows, with a number as their id, hold the issuer's account in place of an address.
 */
function ledgerTokens(chain) {
  const rowsOf = (file) => JSON.parse(read("ledger", `lib/data/${file}.json`));
  if (chain === "solana") return rowsOf("spl").map((row) => [row[3], row[4], row[2]]);
  if (chain === "tron")
    return rowsOf("trc20")
      .filter(([id]) => id.startsWith("t"))
      .map((row) => [row[1], row[3], row[2]]);
  const listed = rowsOf(`evm/${chain}/erc20`).filter(([, , , , , , , disabled, delisted]) => !disabled && !delisted);
  return listed.map((row) => [row[2], row[6], row[4]]);
}

async function addWormhole() {
  for (const [table, name] of Object.entries(WORMHOLE)) {
    const tables = await load("wormhole", `dist/esm/constants/contracts/${table.replace("coreBridge", "core")}.js`);
    const mainnet = new Map(new Map(tables[`${table}Contracts`]).get("Mainnet"));
    for (const [chainName, chain] of namesOf("wormhole")) {
      const found = mainnet.get(chainName) ?? {};
      if (typeof found === "string") add(chain, found, name, "bridge", "wormhole");
      for (const role of ["tokenMessenger", "messageTransmitter"]) {
        if (found[role]) add(chain, found[role], `${name} ${spaced(role)}`, "bridge", "wormhole");
      }
    }
  }
}

/** Read as text: loading the module would need the rest of its dependencies. */
function addArbitrum() {
  const source = read("arbitrum", "dist/lib/dataEntities/networks.js");
  for (const [, part, body] of source.matchAll(/const mainnet(Token|ETH)Bridge = \{(.*?)\n\};/gs)) {
    for (const [, role, address] of body.matchAll(/^ {4}(\w+): '(0x\w{40})'/gm)) {
      if (part === "Token" && !role.includes("Gateway")) continue;
      add(role.startsWith("child") ? "42161" : "1", address, `Arbitrum ${spaced(role)}`, "bridge", "arbitrum");
    }
  }
}

function addHop() {
  const { bridges } = require(pathOf("hop", "dist/cjs/addresses/mainnet.js")).addresses;
  for (const token of ["ETH", "USDC.e", "USDT", "DAI", "MATIC"]) {
    for (const [name, chain] of namesOf("hop")) {
      for (const role of ["l1Bridge", "l2Bridge", "l2AmmWrapper"]) {
        const address = bridges[token][name]?.[role];
        if (address) add(chain, address, `Hop ${token} ${spaced(role)}`, "bridge", "hop");
      }
    }
  }
}

async function addAave() {
  const book = await load("aave", "dist/AaveAddressBook.mjs");
  const markets = Object.entries(AAVE).flatMap(([version, names]) => names.map((name) => `Aave${version}${name}`));
  for (const market of markets) {
    for (const role of ["POOL", "POOL_ADDRESSES_PROVIDER", "WETH_GATEWAY"]) {
      const name = `${spaced(market).replace("aave", "Aave")} ${role.toLowerCase().replaceAll("_", " ")}`;
      add(String(book[market].CHAIN_ID), book[market][role], name, "protocol", "aave");
    }
  }
}

async function addDexes() {
  const { addressBook } = await load("beefy", "dist/address-book/index.js");
  const uniswap = require(pathOf("uniswap", "dist/cjs/src/addresses.js"));
  for (const [beefy, chain] of namesOf("beefy")) {
    for (const [platform, role] of DEXES[chain].map((name) => name.split("."))) {
      add(chain, addressBook[beefy].platforms[platform]?.[role], `${platform} ${spaced(role)}`, "protocol", "beefy");
    }
    add(chain, uniswap.V2_ROUTER_ADDRESSES[chain], "Uniswap V2 router", "protocol", "uniswap");
    add(chain, uniswap.SWAP_ROUTER_02_ADDRESSES(Number(chain)), "Uniswap swap router 02", "protocol", "uniswap");
    for (const role of UNISWAP) {
      const address = uniswap.CHAIN_TO_ADDRESSES_MAP[chain][`${role}Address`];
      add(chain, address, `Uniswap ${spaced(role)}`, "protocol", "uniswap");
    }
  }
}

/** Contracts that have one address on all chains. Read as text: loading the modules would need their dependencies. */
function addSingletons() {
  const [, permit2] = /PERMIT2_ADDRESS = '(0x\w{40})'/.exec(read("permit2", "dist/cjs/src/constants.js")) ?? [];
  const entryPoints = read("viem", "_esm/account-abstraction/constants/address.js");
  for (const chain of Object.keys(DEXES)) {
    add(chain, permit2, "Permit2", "protocol", "permit2");
    for (const [constant, [version]] of Object.entries(ENTRY_POINTS)) {
      const [, address] = new RegExp(`${constant} = '(0x\\w{40})'`).exec(entryPoints) ?? [];
      add(chain, address, `ERC-4337 entry point ${version}`, "protocol", "viem");
    }
  }
}

/** First word of a line -> the others. */
function table(text) {
  return Object.fromEntries(
    text
      .trim()
      .split("\n")
      .map((line) => line.trim().split(" "))
      .map(([key, ...words]) => [key, words]),
  );
}

function namesOf(book) {
  return NAMES[book].map((pair) => pair.split("="));
}

function spaced(camelCase) {
  return camelCase.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();
}

/** A second package with the same address and role, or a second role of one contract, adds nothing. */
function add(chain, text, name, kind, key, full_name = "") {
  if (text === undefined) throw new Error(`${chain} ${name}: missing`);
  const [source, licence, date] = PACKAGES[key];
  const row = { chain, address: canonical(chain, text), name, kind, source, date, licence, full_name };
  const known = rows.find((other) => other.chain === chain && other.address === row.address);
  if (known !== undefined && known.kind !== kind) throw new Error(`${chain} ${text}: ${known.kind} and ${kind}`);
  if (/[",\n]/.test(name) || !LICENCES.includes(licence)) throw new Error(`bad row: ${JSON.stringify(row)}`);
  if (known === undefined) rows.push(row);
}

/**
 * The checked form: EIP-55 for EVM chains, where mixed case is a checksum that must hold and a single case has none.
 */
function canonical(chain, text) {
  if (chain === "tron" || chain === "solana") {
    const bytes = chain === "tron" ? tronBase58check.decode(text) : base58.decode(text);
    const valid = chain === "tron" ? bytes.length === 21 && bytes[0] === 0x41 : bytes.length === 32;
    if (!valid) throw new Error(`${text}: not a ${chain} address`);
    return text;
  }
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new Error(`${text}: not an EVM address`);
  const digits = text.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString("hex");
  const checksummed = `0x${[...digits].map((digit, i) => (hash[i] >= "8" ? digit.toUpperCase() : digit)).join("")}`;
  const mixedCase = /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text);
  if (mixedCase && text !== checksummed) throw new Error(`${text}: EIP-55 checksum does not match`);
  return checksummed;
}

function write() {
  const columns = ["chain", "address", "name", "kind", "source", "date", "licence", "full_name"];
  const keyOf = ({ chain, kind, name, address }) => [chain.padStart(12, "0"), kind, name, address].join(" ");
  rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))].map((cells) => cells.join(","));
  writeFileSync(OUT, `${lines.join("\n")}\n`);
  console.log(`${rows.length} rows`);
}
