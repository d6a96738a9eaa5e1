/**
 * Names that wallets, exchanges and analytics write for a network, by canonical id. The registry has the short names.
 * Letters and digits only, in lower case. Sources: the network lists of exchanges (withdrawal pages and CSV exports);
 * the chain slugs of Dune and CoinGecko.
 */
const networks: Readonly<Record<string, readonly string[]>> = {
  "1": ["ethereum", "ethereummainnet", "ethmainnet", "homestead"],
  "10": ["optimism", "opmainnet", "optimismmainnet", "optimisticethereum"],
  "25": ["cronos", "cronosmainnet"],
  "56": ["bsc", "bscmainnet", "bnbchain", "bnbsmartchain", "binancesmartchain", "bnbsmartchainmainnet"],
  "100": ["gnosis", "gnosischain", "xdai", "xdaichain"],
  "130": ["unichain"],
  "137": ["polygon", "polygonpos", "polygonmainnet", "maticmainnet"],
  "146": ["sonic", "sonicmainnet"],
  "204": ["opbnb", "opbnbmainnet"],
  "250": ["fantom", "fantomopera"],
  "324": ["zksync", "zksyncera", "zksyncmainnet"],
  "8453": ["base", "basemainnet"],
  "42161": ["arbitrum", "arbitrumone", "arbitrumonemainnet", "arb1"],
  "42220": ["celo", "celomainnet"],
  "43114": ["avalanche", "avalanchec", "avalanchecchain", "avaxc", "avaxcchain", "cchain", "avalanchemainnet"],
  "59144": ["linea", "lineamainnet"],
  "534352": ["scroll", "scrollmainnet"],
  tron: ["tron", "tronmainnet", "tronnetwork"],
  solana: ["solana", "solanamainnet", "solanamainnetbeta"],
  bitcoin: ["bitcoin", "bitcoinmainnet", "btcmainnet", "segwit", "segwitbtc", "btcsegwit"],
};

/** Standards of tokens, which exchanges write in place of the network. */
const standards: Readonly<Record<string, readonly string[]>> = {
  "1": ["erc20", "erc721", "erc1155"],
  "56": ["bep20", "bep721"],
  tron: ["trc20", "trc10"],
  solana: ["spl", "spltoken"],
  bitcoin: ["brc20"],
};

/** Currencies. Beside a network or a standard they name the token that is paid: `ETH (BEP20)`. */
const currencies: Readonly<Record<string, readonly string[]>> = {
  "1": ["eth", "ether"],
  "10": ["op"],
  "56": ["bnb"],
  "137": ["matic", "pol"],
  "250": ["ftm"],
  "42161": ["arb"],
  "43114": ["avax"],
  tron: ["trx"],
  solana: ["sol"],
  bitcoin: ["btc", "xbt"],
};

/** How much a word tells of the network. */
export type WordRank = "network" | "standard" | "currency";

/** The chain and the rank of each word. */
export const chainWords: ReadonlyMap<string, { readonly id: string; readonly rank: WordRank }> = new Map(
  (
    [
      ["currency", currencies],
      ["standard", standards],
      ["network", networks],
    ] as const
  ).flatMap(([rank, words]) =>
    Object.entries(words).flatMap(([id, names]) => names.map((name) => [name, { id, rank }] as const)),
  ),
);

/** Words beside the name of a network that do not change it: common tokens, and words for networks and tokens. */
export const tokenWords: ReadonlySet<string> = new Set([
  ...[
    "usdt",
    "usdc",
    "usdce",
    "dai",
    "busd",
    "tusd",
    "usdd",
    "fdusd",
    "pyusd",
    "eurc",
    "wbtc",
    "weth",
    "usd",
    "tether",
  ],
  ...["chain", "network", "mainnet", "main", "net", "smart", "token", "coin", "native"],
]);
