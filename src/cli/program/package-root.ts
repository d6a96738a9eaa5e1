import { readFileSync } from "node:fs";
import path from "node:path";

/** The package's own folder, both in a checkout (src/cli) and in the built package (dist/cli). */
export const packageRoot = path.resolve(import.meta.dirname, "..", "..", "..");

/** Files that ship with the package. */
export const bundled = {
  policy: path.join(packageRoot, "data", "policy.json"),
  /** The presets of mappings. */
  mappings: path.join(packageRoot, "data", "mappings"),
  /** The earlier versions of `policy`: 1.json, 2.json and so on. */
  oldPolicies: path.join(packageRoot, "data", "old-policies"),
  /**
   * The best known first: for equal similarity, the first list names the imitated address. The last list has further
   * names of tokens.
   */
  labels: [
    "labels.csv",
    "exchanges.csv",
    "tron-services.csv",
    "services.csv",
    "solana-services.csv",
    "clear-signing.csv",
    "delegates.csv",
    "known-well.csv",
    "known-others.csv",
    "clear-signing-others.csv",
    "token-names.csv",
  ].map((file) => path.join(packageRoot, "data", file)),
  evmMarkets: path.join(packageRoot, "data", "evm-markets.json"),
  demoEvents: path.join(packageRoot, "demo", "events.ndjson"),
  demoChain: path.join(packageRoot, "demo", "chain.json"),
  demoLists: path.join(packageRoot, "demo", "sanctions.csv"),
  demoMarkets: path.join(packageRoot, "demo", "markets.json"),
  demoSolana: path.join(packageRoot, "demo", "solana-accounts.json"),
} as const;

const manifest = JSON.parse(readFileSync(path.join(packageRoot, "package.json"), "utf8")) as { version: string };

export const version = manifest.version;
/** The name of the deciding software in verdicts. */
export const software = `weir/${version}`;
