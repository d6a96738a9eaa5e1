import { readdirSync } from "node:fs";

/** Every token of the books: { chain, address, name (its symbol), fullName, key }. The books that choose come first. */
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

/** The registry took what anybody sent it; those that a price index follows too are tokens that people hold. */
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

/** Of the rows for TRON only those with a contract: of a TRC-10 token, whose id is a number, the address is its issuer's. */
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

/** What a custodian holds on TRON's main network, read as text: the module needs other packages. `trx:usd1` is USD1. */
function* bitgo(text) {
  const rows = text.matchAll(/tronToken\)\('[^']*', 'trx:([^']+)', '([^']+)', \d+, '(T[1-9A-HJ-NP-Za-km-z]{33})'/g);
  for (const [, symbol, fullName, address] of rows) {
    yield { key: "bitgo", chain: "tron", address, name: symbol.toUpperCase(), fullName };
  }
}

/** The wrapped coin of TRON, read as text: the module needs other packages. The book's other tokens there stand in books above. */
function* lifi(text) {
  const rows = text.matchAll(
    /\[ChainId\.TRN\]: \{\s*address: '(T\w{33})',\s*name: '([^']+)',\s*symbol: CoinKey\.(\w+)/g,
  );
  for (const [, address, fullName, symbol] of rows)
    yield { key: "lifi", chain: "tron", address, name: symbol, fullName };
}

/** What a TRON payment protocol takes on the main network, the second USDD among it; read as text for the same reason. */
function* bankofai(text) {
  const [, mainnet = ""] = /'tron:mainnet': \{([\s\S]*?)\n {4}\},/.exec(text) ?? [];
  const rows = mainnet.matchAll(/address: '(T\w{33})',\s*decimals: \d+,\s*name: '([^']+)',\s*symbol: '([^']+)'/g);
  for (const [, address, fullName, symbol] of rows)
    yield { key: "bankofai", chain: "tron", address, name: symbol, fullName };
}
