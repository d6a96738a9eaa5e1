import { readFileSync } from "node:fs";
import path from "node:path";

/** The package's own folder, in a checkout (src/cli) and in the built package (dist/cli) alike. */
export const packageRoot = path.resolve(import.meta.dirname, "..", "..", "..");

/** Files that ship with the package. */
export const bundled = {
  policy: path.join(packageRoot, "data", "policy.json"),
  /** What `policy` was in earlier versions: 1.json, 2.json and so on. */
  oldPolicies: path.join(packageRoot, "data", "old-policies"),
  /** The best known first: of equal likeness the first list names what is imitated. The last has further names of tokens. */
  labels: ["labels.csv", "exchanges.csv", "known-well.csv", "known-others.csv", "token-names.csv"].map((file) =>
    path.join(packageRoot, "data", file),
  ),
  evmMarkets: path.join(packageRoot, "data", "evm-markets.json"),
  demoEvents: path.join(packageRoot, "demo", "events.ndjson"),
  demoChain: path.join(packageRoot, "demo", "chain.json"),
  demoLists: path.join(packageRoot, "demo", "sanctions.csv"),
  demoMarkets: path.join(packageRoot, "demo", "markets.json"),
  demoSolana: path.join(packageRoot, "demo", "solana-accounts.json"),
} as const;

const manifest = JSON.parse(readFileSync(path.join(packageRoot, "package.json"), "utf8")) as { version: string };

export const version = manifest.version;
/** How verdicts name what decided them. */
export const software = `weir/${version}`;
