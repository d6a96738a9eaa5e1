import { readdirSync } from "node:fs";
import { findChain } from "../../../src/chains/registry.ts";
import { solanaPrograms } from "./solana-programs.mjs";

/** Names of chains in address books that the registry does not use. */
const CHAIN_NAMES = {
  arbitrumnova: "42170",
  bnb: "56",
  bsc: "56",
  etherlink: "42793",
  hyperevm: "999",
  ink: "57073",
  megaeth: "4326",
  monad: "143",
  nova: "42170",
  plasma: "9745",
  polygonzkevm: "1101",
  seievm: "1329",
  soneium: "1868",
  unichain: "130",
  worldchain: "480",
  xlayer: "196",
  zkevm: "1101",
};

/** The registry's id of a chain in an address book; undefined when the registry has none, as for most testnets. */
function chainId(name) {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return findChain(CHAIN_NAMES[plain] ?? plain)?.id ?? findChain(name)?.id;
}

/** `getPoolAddress` and `POOL_ADDRESS` as words, in lower case. */
export function spaced(name) {
  return name
    .replaceAll(/[_\-.:/]+/g, " ")
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .toLowerCase()
    .trim();
}

/** Key and address of every string property that is an EVM address, at any depth; `path` holds the keys on the way. */
function* addressesIn(value, path = []) {
  for (const [key, inner] of Object.entries(value ?? {})) {
    if (typeof inner === "string" && /^0x[0-9a-fA-F]{40}$/.test(inner)) yield { path: [...path, key], address: inner };
    else if (typeof inner === "object" && inner !== null) yield* addressesIn(inner, [...path, key]);
  }
}

/** `name: "0x..."` and `name = "0x..."` in a source text. */
function* constantsIn(text) {
  for (const [, name, address] of text.matchAll(/(\w+)["']?\s*[:=]\s*["'](0x[0-9a-fA-F]{40})["']/g))
    yield { name, address };
}

/**
 * Every contract of the address books, those that a user meets first: { chain, address, name, kind, key, wellKnown }.
 * Addresses that are no contract of the project itself (tokens, deployers, oracles of others) are left out by their
 * role.
 */
export async function* contracts(packages) {
  yield* uniswap(packages);
  yield* exchanges(packages);
  yield* curve(packages);
  yield* beefy(await packages.module("beefy", "dist/address-book/index.js"));
  yield* aave(await packages.module("aave", "dist/AaveAddressBook.mjs"));
  yield* venus(packages);
  yield* superfluid(packages.json("superfluid", "networks.json"));
  yield* wormhole(packages);
  yield* rollups(packages);
  yield* axelar(packages.json("axelar", "info/mainnet.json"));
  yield* polygon(packages.json("polygon", "network/mainnet/v1/index.json"));
  yield* arbitrum(packages.text("arbitrum", "dist/lib/dataEntities/networks.js"));
  yield* hop(packages.require("hop", "dist/cjs/addresses/mainnet.js").addresses.bridges);
  yield* hyperlane(packages);
  yield* solanaPrograms(packages);
}

const protocol = { kind: "protocol", wellKnown: true };
const bridge = { kind: "bridge", wellKnown: true };

function* uniswap(packages) {
  const book = packages.require("uniswap", "dist/cjs/src/addresses.js");
  for (const [chain, roles] of Object.entries(book.CHAIN_TO_ADDRESSES_MAP)) {
    for (const { path, address } of addressesIn(roles)) {
      yield {
        ...protocol,
        key: "uniswap",
        chain,
        address,
        name: `Uniswap ${spaced(path[0]).replace(/ address$/, "")}`,
      };
    }
  }
  for (const [chain, address] of Object.entries(book.V2_ROUTER_ADDRESSES)) {
    yield { ...protocol, key: "uniswap", chain, address, name: "Uniswap V2 router" };
  }
  let chain;
  for (const line of packages.text("router", "dist/cjs/src/utils/constants.js").split("\n")) {
    chain = /^ {4}\[?(\d+)\]?: \{/.exec(line)?.[1] ?? chain;
    const [, address] = /^ {12,}address: '(0x[0-9a-fA-F]{40})'/.exec(line) ?? [];
    if (address !== undefined) yield { ...protocol, key: "router", chain, address, name: "Uniswap universal router" };
  }
}

function* exchanges(packages) {
  for (const [chain, roles] of Object.entries(packages.json("zeroex", "addresses.json"))) {
    for (const { path, address } of addressesIn(roles)) {
      if (!path[0].endsWith("Token"))
        yield { ...protocol, key: "zeroex", chain, address, name: `0x ${spaced(path.at(-1))}` };
    }
  }
  for (const { name, address } of constantsIn(packages.text("seaport", "lib/constants.js"))) {
    const role = spaced(name).replace(/^cross chain | address$/g, "");
    yield { ...protocol, key: "seaport", chain: "1", address, name: `OpenSea ${role}` };
  }
  for (const { name, address } of constantsIn(packages.text("cow", "dist/index.js"))) {
    if (/(COW|ETH_?FLOW|SETTLEMENT|RELAYER)/.test(name) && !/STAGING|BARN|DEV|TOKEN/.test(name)) {
      yield { ...protocol, key: "cow", chain: "1", address, name: `CoW ${spaced(name).replace(/^cow /, "")}` };
    }
  }
  for (const version of readdirSync(packages.path("safe", "dist/assets")).sort()) {
    for (const file of readdirSync(packages.path("safe", `dist/assets/${version}`)).sort()) {
      const { contractName, deployments } = packages.json("safe", `dist/assets/${version}/${file}`);
      for (const { address } of Object.values(deployments)) {
        yield { ...protocol, key: "safe", chain: "1", address, name: `Safe ${spaced(contractName)} ${version}` };
      }
    }
  }
}

/** Roles of tokens, or of addresses without an owner. */
const CURVE_OTHERS = /^(crv|weth|wrapped|native|coin|underlying|token|reward|address)/;

function* curve(packages) {
  let chain;
  for (const line of packages.text("curve", "lib/constants/network_constants.js").split("\n")) {
    const [, network] = /ALIASES_(\w+) = \{/.exec(line) ?? [];
    if (network !== undefined) chain = chainId(network);
    const [, role, address] = /^\s+"(\w+)": ['"](0x[0-9a-fA-F]{40})['"]/.exec(line) ?? [];
    if (chain === undefined || role === undefined || CURVE_OTHERS.test(role)) continue;
    yield { ...protocol, key: "curve", chain, address, name: `Curve ${spaced(role)}` };
  }
  for (const file of readdirSync(packages.path("curve", "lib/constants/pools")).sort()) {
    const network = chainId(file.replace(".js", ""));
    if (network === undefined || !file.endsWith(".js")) continue;
    let pool = "pool";
    for (const line of packages.text("curve", `lib/constants/pools/${file}`).split("\n")) {
      pool = /^\s+name: ["'](\w[^"',]*)["']/.exec(line)?.[1] ?? pool;
      const [, role, address] = /^\s+(swap|gauge|deposit|zap)_address: ["'](0x[0-9a-fA-F]{40})["']/.exec(line) ?? [];
      if (role !== undefined) {
        yield { kind: "protocol", key: "curve", chain: network, address, name: `Curve ${pool} ${role}` };
      }
    }
  }
}

/** Accounts of a platform's staff, to which users send nothing. */
const STAFF = /owner|keeper|recipient|treasur|multisig|dev|caller|wallet/i;

function* beefy({ addressBook }) {
  for (const [network, { platforms, tokens }] of Object.entries(addressBook)) {
    const chain = String(Object.values(tokens)[0]?.chainId ?? chainId(network));
    for (const [platform, roles] of Object.entries(platforms)) {
      for (const { path, address } of addressesIn(roles)) {
        if (STAFF.test(path[0])) continue;
        const name = `${platform} ${spaced(path[0])}`;
        yield { kind: "protocol", wellKnown: platform !== "beefyfinance", key: "beefy", chain, address, name };
      }
    }
  }
}

/** Contracts that a user of Aave calls or approves. */
const AAVE_FACING =
  /^(POOL|LENDING_POOL|POOL_ADDRESSES_PROVIDER|WETH_GATEWAY|COLLECTOR|DEFAULT_INCENTIVES_CONTROLLER|L2_ENCODER|SWAP_COLLATERAL_ADAPTER|REPAY_WITH_COLLATERAL_ADAPTER|WITHDRAW_SWAP_ADAPTER|DEBT_SWAP_ADAPTER|UI_\w+|STK_\w+|LEGACY_BRIDGE_EXECUTOR|CONFIG_ENGINE)$/;

function* aave(book) {
  for (const [market, entries] of Object.entries(book)) {
    const chain = String(entries.CHAIN_ID ?? "");
    if (findChain(chain) === undefined || /Sepolia|Fuji|^Chainlink/.test(market)) continue;
    const words = spaced(market).replace("aave", "Aave");
    for (const { path, address } of addressesIn(entries)) {
      const role = path.at(-1);
      if (/UNDERLYING|^ORACLE$|_TOKEN$|ADMIN|OWNER|WALLET|SAFE|MULTISIG/.test(role)) continue;
      const name = `${words} ${spaced(path.filter((part) => !/^(ASSETS|E_MODES)$/.test(part)).join(" "))}`;
      yield { kind: "protocol", wellKnown: AAVE_FACING.test(role), key: "aave", chain, address, name };
    }
  }
}

function* venus(packages) {
  for (const file of readdirSync(packages.path("venus", "deployments")).sort()) {
    if (!file.endsWith("mainnet_addresses.json")) continue;
    const { chainId: chain, addresses } = packages.json("venus", `deployments/${file}`);
    for (const [role, address] of Object.entries(addresses)) {
      if (/^v[A-Z]/.test(role)) yield { ...protocol, key: "venus", chain, address, name: `Venus ${role}` };
      else if (/^(Unitroller|Comptroller|Prime|VAIVault|XVSVault|NativeToken|Swap|Liquidator)/.test(role)) {
        yield { ...protocol, key: "venus", chain, address, name: `Venus ${spaced(role)}` };
      }
    }
  }
}

function* superfluid(networks) {
  for (const { isTestnet, chainId: id, contractsV1 } of networks) {
    if (isTestnet) continue;
    for (const { path, address } of addressesIn(contractsV1)) {
      yield {
        kind: "protocol",
        key: "superfluid",
        chain: String(id),
        address,
        name: `Superfluid ${spaced(path.join(" "))}`,
      };
    }
  }
}

/** Tables of contracts in the Wormhole SDK, and their content. */
const WORMHOLE = {
  core: "Wormhole core bridge",
  tokenBridge: "Wormhole token bridge",
  nftBridge: "Wormhole NFT bridge",
  relayer: "Wormhole relayer",
  tokenBridgeRelayer: "Wormhole token bridge relayer",
  executor: "Wormhole executor",
  executorTokenBridge: "Wormhole executor token bridge",
  circle: "Circle CCTP",
  portico: "Wormhole portico",
};

async function* wormhole(packages) {
  for (const [file, words] of Object.entries(WORMHOLE)) {
    const tables = await packages.module("wormhole", `dist/esm/constants/contracts/${file}.js`);
    for (const [network, found] of new Map(Object.values(tables)[0]).get("Mainnet")) {
      const chain = chainId(network);
      if (chain === undefined) continue;
      const roles = typeof found === "string" ? { "": found } : found;
      for (const [role, address] of Object.entries(roles)) {
        if (typeof address !== "string" || /^wormhole|Quoter/.test(role)) continue;
        yield { ...bridge, key: "wormhole", chain, address, name: `${words} ${spaced(role)}`.trim() };
      }
    }
  }
}

/** Contracts of the parent chain that hold the assets bridged to a rollup, from viem's chain definitions. */
function* rollups(packages) {
  const folder = "_esm/chains/definitions";
  for (const file of readdirSync(packages.path("viem", folder)).sort()) {
    if (!file.endsWith(".js")) continue;
    const source = packages.text("viem", `${folder}/${file}`);
    const parent = /const sourceId = (\d+)/.exec(source)?.[1];
    const name = /name: '([^']+)'/.exec(source)?.[1];
    if (parent === undefined || name === undefined || /testnet: true/.test(source)) continue;
    for (const [, role, address] of source.matchAll(/(\w+): \{\s*\[sourceId\]: \{\s*address: '(0x[0-9a-fA-F]{40})'/g)) {
      yield { ...bridge, key: "viem", chain: parent, address, name: `${name} ${spaced(role)}` };
    }
  }
}

function* axelar({ chains }) {
  for (const { chainId: id, contracts: roles, name } of Object.values(chains)) {
    for (const [role, entry] of Object.entries(roles ?? {})) {
      if (!/^(AxelarGateway|AxelarGasService|InterchainTokenService|InterchainTokenFactory|Operators)$/.test(role))
        continue;
      yield {
        ...bridge,
        key: "axelar",
        chain: String(id),
        address: entry.address,
        name: `Axelar ${spaced(role.replace("Axelar", ""))} ${name}`,
      };
    }
  }
}

function* polygon({ Main, Matic }) {
  for (const [chain, book] of [
    ["1", Main],
    ["137", Matic],
  ]) {
    for (const { path, address } of addressesIn(book)) {
      if (/Tokens?$|EIP1559/.test(path.slice(0, -1).join(" ")) || /Token$|^Weth|^MRC/.test(path.at(-1))) continue;
      if (/Proxy$|Manager|Predicate/.test(path.at(-1))) {
        yield { ...bridge, key: "polygon", chain, address, name: `Polygon ${spaced(path.at(-1))}` };
      }
    }
  }
}

/** Read as text: loading the module would need the rest of its dependencies. */
function* arbitrum(source) {
  for (const [, , body] of source.matchAll(/const mainnet(Token|ETH)Bridge = \{(.*?)\n\};/gs)) {
    for (const [, role, address] of body.matchAll(/^ {4}(\w+): '(0x\w{40})'/gm)) {
      const chain = role.startsWith("child") ? "42161" : "1";
      yield { ...bridge, key: "arbitrum", chain, address, name: `Arbitrum ${spaced(role)}` };
    }
  }
}

function* hop(bridges) {
  for (const [token, networks] of Object.entries(bridges)) {
    for (const [network, roles] of Object.entries(networks)) {
      for (const [role, address] of Object.entries(roles)) {
        const chain = chainId(network);
        if (chain === undefined || typeof address !== "string" || /Token|PosPredicate|Tunnel/.test(role)) continue;
        yield { ...bridge, key: "hop", chain, address, name: `Hop ${token} ${spaced(role)}` };
      }
    }
  }
}

/** Contracts that pass messages and money. The rest are a chain's own modules and hooks. */
const HYPERLANE_FACING = /^(mailbox|interchainGasPaymaster|interchainAccountRouter|interchainQueryRouter)$/;

async function* hyperlane(packages) {
  const { chainAddresses } = await packages.module("hyperlane", "dist/chainAddresses.js");
  const { chainMetadata } = await packages.module("hyperlane", "dist/chainMetadata.js");
  const { warpRouteConfigs } = await packages.module("hyperlane", "dist/warpRouteConfigs.js");
  const idOf = (network) => {
    const { chainId: id, isTestnet, protocol: family } = chainMetadata[network] ?? {};
    return isTestnet || family !== "ethereum" ? undefined : String(id);
  };
  for (const [network, roles] of Object.entries(chainAddresses)) {
    const chain = idOf(network);
    if (chain === undefined) continue;
    for (const [role, address] of Object.entries(roles)) {
      const name = `Hyperlane ${spaced(role)} ${network}`;
      yield { kind: "bridge", wellKnown: HYPERLANE_FACING.test(role), key: "hyperlane", chain, address, name };
    }
  }
  for (const { tokens } of Object.values(warpRouteConfigs)) {
    for (const { addressOrDenom: address, chainName, symbol, standard } of tokens) {
      const chain = idOf(chainName);
      if (chain === undefined || /Synthetic/.test(standard)) continue;
      yield { kind: "bridge", key: "hyperlane", chain, address, name: `Hyperlane ${symbol} warp route` };
    }
  }
}
