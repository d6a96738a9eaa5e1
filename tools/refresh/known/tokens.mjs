import { readdirSync } from "node:fs";

/** Every token of the address books: { chain, address, name (its symbol), fullName, key }. Curated books come first. */
export async function* tokens(packages) {
  yield* beefy(await packages.module("beefy", "dist/address-book/index.js"));
  yield* tokenList("aave", packages.json("aave", "tokenlist.json").tokens);
  yield* tokenList("optimism", (await packages.module("optimism", "dist/optimism.tokenlist.mjs")).tokens);
  for (const [address, { symbol, name, erc20 }] of Object.entries(packages.json("metamask", "contract-map.json"))) {
    if (erc20) yield { key: "metamask", chain: "1", address, name: symbol, fullName: name };
  }
  yield* solana(packages.json("solana", "dist/main/tokens/solana.tokenlist.json").tokens);
  yield* hyperlane(packages, await packages.module("hyperlane", "dist/chainMetadata.js"));
  yield* ledger(packages);
  yield* bitgo(packages.text("bitgo", "dist/src/allCoinsAndTokens.js"));
  yield* lifi(packages.text("lifi", "src/coins/coins.ts"));
  yield* bankofai(packages.text("bankofai", "dist/tokens.js"));
}

function* beefy({ addressBook }) {
  for (const { tokens: listed } of Object.values(addressBook)) {
    for (const { symbol, address, chainId, name } of Object.values(listed)) {
      yield { key: "beefy", chain: String(chainId), address, name: symbol, fullName: name };
    }
  }
}

/** A list in the form of the Uniswap schema. */
function* tokenList(key, listed) {
  for (const { chainId, address, symbol, name } of listed) {
    yield { key, chain: String(chainId), address, name: symbol, fullName: name };
  }
}

/** The registry accepted any submission. Tokens that a price index also follows are really held. */
function* solana(listed) {
  for (const { chainId, address, symbol, name, extensions } of listed) {
    if (chainId === 101 && extensions?.coingeckoId) {
      yield { key: "solana", chain: "solana", address, name: symbol, fullName: name };
    }
  }
}

/** Tokens that a warp route made on its chain. */
async function* hyperlane(packages, { chainMetadata }) {
  const { warpRouteConfigs } = await packages.module("hyperlane", "dist/warpRouteConfigs.js");
  for (const { tokens: listed } of Object.values(warpRouteConfigs)) {
    for (const { addressOrDenom: address, chainName, symbol, name, standard } of listed) {
      const { chainId, isTestnet, protocol } = chainMetadata[chainName] ?? {};
      if (isTestnet || protocol !== "ethereum" || !/Synthetic/.test(standard)) continue;
      yield { key: "hyperlane", chain: String(chainId), address, name: symbol, fullName: name };
    }
  }
}

/** Only rows for TRON with a contract. For a TRC-10 token, with a number as its id, the address is its issuer's. */
function* ledger(packages) {
  const rowsOf = (file) => packages.json("ledger", `lib/data/${file}.json`);
  for (const chain of readdirSync(packages.path("ledger", "lib/data/evm")).sort()) {
    if (!/^\d+$/.test(chain)) continue;
    for (const [, , symbol, , fullName, , address, disabled, delisted] of rowsOf(`evm/${chain}/erc20`)) {
      if (!disabled && !delisted) yield { key: "ledger", chain, address, name: symbol, fullName };
    }
  }
  for (const [, , fullName, symbol, address] of rowsOf("spl"))
    yield { key: "ledger", chain: "solana", address, name: symbol, fullName };
  for (const [id, symbol, fullName, address] of rowsOf("trc20")) {
    if (id.startsWith("t")) yield { key: "ledger", chain: "tron", address, name: symbol, fullName };
  }
}

/**
 * Tokens that a custodian holds on TRON's main network. The file is read as text, since the module needs other
 * packages. `trx:usd1` is USD1.
 */
function* bitgo(text) {
  const rows = text.matchAll(/tronToken\)\('[^']*', 'trx:([^']+)', '([^']+)', \d+, '(T[1-9A-HJ-NP-Za-km-z]{33})'/g);
  for (const [, symbol, fullName, address] of rows) {
    yield { key: "bitgo", chain: "tron", address, name: symbol.toUpperCase(), fullName };
  }
}

/**
 * The wrapped coin of TRON. The file is read as text, since the module needs other packages. Other books already have
 * this book's other TRON tokens.
 */
function* lifi(text) {
  const rows = text.matchAll(
    /\[ChainId\.TRN\]: \{\s*address: '(T\w{33})',\s*name: '([^']+)',\s*symbol: CoinKey\.(\w+)/g,
  );
  for (const [, address, fullName, symbol] of rows)
    yield { key: "lifi", chain: "tron", address, name: symbol, fullName };
}

/**
 * Tokens that a TRON payment protocol accepts on the main network, including the second USDD. The file is read as text,
 * since the module needs other packages.
 */
function* bankofai(text) {
  const [, mainnet = ""] = /'tron:mainnet': \{([\s\S]*?)\n {4}\},/.exec(text) ?? [];
  const rows = mainnet.matchAll(/address: '(T\w{33})',\s*decimals: \d+,\s*name: '([^']+)',\s*symbol: '([^']+)'/g);
  for (const [, address, fullName, symbol] of rows)
    yield { key: "bankofai", chain: "tron", address, name: symbol, fullName };
}
