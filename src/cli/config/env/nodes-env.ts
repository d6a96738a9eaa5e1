import { z } from "zod";
import { count, duration, flag, list } from "./fields.ts";
import { quota } from "./quota-field.ts";

const file = z.string().min(1).optional();
const allowHttp = (urls: string) =>
  flag.describe(`\`true\` allows http in ${urls} for nodes on other machines. Requests are then not encrypted.`);
/** Longest interval of p-queue: a timer of Node holds at most 2^31 ms. */
const MOST_NODE_WINDOW_MS = 24 * 86_400_000;
const TIMEOUT = "Longest wait for one answer of one node.";

/**
 * The nodes of Solana simulations. With neither nodes nor a snapshot, Solana is unsupported. `node-urls.ts` reads the
 * URLs.
 */
export const solanaNodes = {
  SOLANA_RPC_URL: list
    .prefault("")
    .describe(
      "URLs of Solana nodes, separated by commas. Weir tries the nodes in this order. The URLs may contain keys.",
    ),
  SOLANA_RPC_URL_FILE: file.describe("File with one URL of a Solana node a line, in place of SOLANA_RPC_URL."),
  SOLANA_RPC_ALLOW_HTTP: allowHttp("SOLANA_RPC_URL"),
  SOLANA_RPC_TIMEOUT: duration("3s").describe(TIMEOUT),
  SOLANA_ENGINE: z
    .enum(["node", "local"])
    .default("node")
    .describe(
      "Where Solana transactions are simulated. `node`: on the nodes. `local`: in this process, with accounts that Weir reads from the nodes.",
    ),
  SOLANA_COMMITMENT: z
    .enum(["processed", "confirmed", "finalized"])
    .default("confirmed")
    .describe("Commitment level of the chain state that Weir requests from the Solana nodes."),
  SOLANA_SNAPSHOT: file.describe("JSON file of the Solana accounts that simulations run on, in place of nodes."),
  SOLANA_PRICES_FILE: file.describe(
    "JSON file of prices in US dollars by mint, for the values of balance changes (docs/solana-transactions.md). Weir reads the file at the start. When empty, no values are stated.",
  ),
  SOLANA_PRICES_MAX_AGE: duration("1440min").describe(
    "Age from which Weir no longer uses a price of SOLANA_PRICES_FILE.",
  ),
};

/** The nodes that execute TRON transactions. Their URLs hold no key, since the key is in a header. */
export const tronNodes = {
  TRON_RPC_URL: list
    .prefault("")
    .describe(
      "URLs of TRON nodes without /wallet, separated by commas. Weir tries the nodes in this order. When empty, no TRON transaction is executed.",
    ),
  TRON_RPC_API_KEY: z.string().min(1).optional().describe("API key for the TRON nodes."),
  TRON_RPC_API_KEY_FILE: file.describe("File with the API key for the TRON nodes, in place of TRON_RPC_API_KEY."),
  TRON_RPC_API_KEY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, "must be the name of a header")
    .default("TRON-PRO-API-KEY")
    .describe("HTTP header that carries TRON_RPC_API_KEY."),
  TRON_RPC_ALLOW_HTTP: allowHttp("TRON_RPC_URL"),
  TRON_RPC_TIMEOUT: duration("2s")
    .refine(
      (ms) => ms <= 2_000,
      "must be at most 2s: several nodes may be asked in turn for one transaction, within ten seconds",
    )
    .describe(TIMEOUT),
};

/** Settings of every command that queries EVM chains. `node-urls.ts` reads the URLs. */
export const EvmEnv = z.object({
  EVM_RPC_URLS: z
    .string()
    .optional()
    .describe(
      'JSON object of JSON-RPC URLs by chain id, for example `{"1": ["https://...", "https://..."]}`. Weir tries the URLs of a chain in this order.',
    ),
  EVM_RPC_URLS_FILE: file.describe("File with the JSON object of URLs, in place of EVM_RPC_URLS."),
  EVM_RPC_ALLOW_HTTP: allowHttp("EVM_RPC_URLS"),
  EVM_RPC_TIMEOUT: duration("2s").describe(TIMEOUT),
  EVM_RPC_CONCURRENCY: count(8).describe("Most requests to one EVM node that are open at once."),
  EVM_RPC_QUOTA: quota
    .refine(({ windowMs }) => windowMs <= MOST_NODE_WINDOW_MS, "must have a window of 24d at most")
    .optional()
    .describe(
      "Quota of one EVM node, for example `25/1s` or `100000/1d`. When empty, Weir does not limit requests to nodes.",
    ),
  EVM_VERIFIER_URL: z
    .string()
    .min(1)
    .optional()
    .describe("URL of a register of verified sources. When empty, Weir does not know whether a contract is verified."),
  EVM_VERIFIER: z
    .enum(["sourcify", "etherscan"])
    .default("sourcify")
    .describe("Interface of EVM_VERIFIER_URL: `sourcify` or `etherscan`."),
  EVM_VERIFIER_API_KEY: z.string().min(1).optional().describe("API key for EVM_VERIFIER_URL."),
  EVM_VERIFIER_API_KEY_FILE: file.describe("File with the API key, in place of EVM_VERIFIER_API_KEY."),
  EVM_TOKEN_INDEX_URL: z
    .string()
    .min(1)
    .optional()
    .describe(
      "URL of an index with the holders and the age of tokens (docs/token-security.md). When empty, both are unknown.",
    ),
  EVM_MARKETS_FILE: file.describe(
    "JSON file of token markets by chain id, in addition to the bundled file (docs/token-security.md).",
  ),
  TOKEN_STORE_FILE: file.describe(
    "SQLite file that keeps token analyses across restarts. When empty, Weir keeps them in memory only.",
  ),
});

/** The settings to reach the nodes, without the settings of their requests. */
export const NodesEnv = z.object({ ...solanaNodes, ...tronNodes, ...EvmEnv.shape }).pick({
  SOLANA_RPC_URL: true,
  SOLANA_RPC_URL_FILE: true,
  SOLANA_RPC_ALLOW_HTTP: true,
  SOLANA_RPC_TIMEOUT: true,
  TRON_RPC_URL: true,
  TRON_RPC_API_KEY: true,
  TRON_RPC_API_KEY_FILE: true,
  TRON_RPC_API_KEY_HEADER: true,
  TRON_RPC_ALLOW_HTTP: true,
  TRON_RPC_TIMEOUT: true,
  EVM_RPC_URLS: true,
  EVM_RPC_URLS_FILE: true,
  EVM_RPC_ALLOW_HTTP: true,
  EVM_RPC_TIMEOUT: true,
});
