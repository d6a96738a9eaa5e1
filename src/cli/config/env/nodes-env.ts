import { z } from "zod";
import { count, duration, flag, list } from "./fields.ts";
import { quota } from "./quota-field.ts";

const file = z.string().min(1).optional();
const allowHttp = (urls: string) =>
  flag.describe(`\`true\` lets ${urls} be http beyond this machine, where others may listen in`);
/** Longest interval of p-queue: a timer of Node holds at most 2^31 ms. */
const MOST_NODE_WINDOW_MS = 24 * 86_400_000;
const TIMEOUT = "longest wait for one answer of one node";

/**
 * The nodes of Solana simulations. With neither nodes nor a snapshot, Solana is unsupported. `node-urls.ts` reads the
 * URLs.
 */
export const solanaNodes = {
  SOLANA_RPC_URL: list.prefault("").describe("Solana nodes, comma-separated, the first asked first; may hold keys"),
  SOLANA_RPC_URL_FILE: file.describe(
    "file with one of these URLs a line, in place of SOLANA_RPC_URL, since the URLs hold keys",
  ),
  SOLANA_RPC_ALLOW_HTTP: allowHttp("SOLANA_RPC_URL"),
  SOLANA_RPC_TIMEOUT: duration("3s").describe(TIMEOUT),
  SOLANA_ENGINE: z
    .enum(["node", "local"])
    .default("node")
    .describe("`node`: the nodes run transactions; `local`: this process does, over accounts that it reads from them"),
  SOLANA_COMMITMENT: z
    .enum(["processed", "confirmed", "finalized"])
    .default("confirmed")
    .describe("which state of the chain the nodes are asked for"),
  SOLANA_SNAPSHOT: file.describe("JSON file of the Solana accounts that simulations run on, in place of nodes"),
  SOLANA_PRICES_FILE: file.describe(
    "JSON file of prices in US dollars by mint, for the values of balance changes: docs/solana-transactions.md; read at the start; empty = none are told",
  ),
  SOLANA_PRICES_MAX_AGE: duration("1440min").describe("age from which a price of that file is told no more"),
};

/** The nodes that execute TRON transactions. Their URLs hold no key, since the key is in a header. */
export const tronNodes = {
  TRON_RPC_URL: list
    .prefault("")
    .describe(
      "HTTP interfaces of TRON nodes (what stands before /wallet), comma-separated, the first asked first; empty = nothing is executed",
    ),
  TRON_RPC_API_KEY: z.string().min(1).optional().describe("key for them"),
  TRON_RPC_API_KEY_FILE: file.describe("file that holds the key, in place of TRON_RPC_API_KEY"),
  TRON_RPC_API_KEY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, "must be the name of a header")
    .default("TRON-PRO-API-KEY")
    .describe("header that the key goes in"),
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
    .describe('JSON-RPC endpoints by chain id, one or several in order: `{"1": ["https://...", "https://..."]}`'),
  EVM_RPC_URLS_FILE: file.describe("file that holds the same JSON, in place of EVM_RPC_URLS, since the URLs hold keys"),
  EVM_RPC_ALLOW_HTTP: allowHttp("EVM_RPC_URLS"),
  EVM_RPC_TIMEOUT: duration("2s").describe(TIMEOUT),
  EVM_RPC_CONCURRENCY: count(8).describe("requests on the wire to one endpoint at once"),
  EVM_RPC_QUOTA: quota
    .refine(({ windowMs }) => windowMs <= MOST_NODE_WINDOW_MS, "must have a window of 24d at most")
    .optional()
    .describe("requests that one endpoint may be sent, e.g. `25/1s` or `100000/1d`; empty = unlimited"),
  EVM_VERIFIER_URL: z
    .string()
    .min(1)
    .optional()
    .describe("register of verified sources; empty = whether a contract is verified is unknown"),
  EVM_VERIFIER: z
    .enum(["sourcify", "etherscan"])
    .default("sourcify")
    .describe("how that is asked: `sourcify` or `etherscan`"),
  EVM_VERIFIER_API_KEY: z.string().min(1).optional().describe("key for it, where it wants one"),
  EVM_VERIFIER_API_KEY_FILE: file.describe("file that holds the key, in place of EVM_VERIFIER_API_KEY"),
  EVM_TOKEN_INDEX_URL: z
    .string()
    .min(1)
    .optional()
    .describe("index that tells a token's holders and age: docs/token-security.md; empty = both are unknown"),
  EVM_MARKETS_FILE: file.describe(
    "JSON file of where tokens are traded, by chain id, beside the bundled one: docs/token-security.md",
  ),
  TOKEN_STORE_FILE: file.describe("SQLite file in which token analyses outlive a restart; empty = memory alone"),
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
