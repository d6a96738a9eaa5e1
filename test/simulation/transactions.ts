import { createHash } from "node:crypto";
import { base58, createBase58check } from "@scure/base";
import { canaryPairs } from "../../src/worker/batching/calibration/canary-pairs.generated.ts";
import { evmKeyOf, type KnownEvm } from "./evm-transactions.ts";
import type { Dice } from "./scenario.ts";
import { type KnownSolana, SolanaTransactions, solanaKeyOf } from "./solana-transactions.ts";

/** The recommendation of a service about a transaction of TRON or of an EVM chain. */
export type Action = "ALLOW" | "WARN" | "BLOCK";

/** The transactions of a scenario, by their keys. */
export interface KnownTransactions {
  readonly solana: ReadonlyMap<string, KnownSolana>;
  readonly tron: ReadonlyMap<string, Action>;
  readonly evm: ReadonlyMap<string, KnownEvm>;
  /** Whether results echo the name in the request. */
  readonly hasNames: boolean;
}

type Content = Readonly<Record<string, unknown>>;

const SHARE = 0.25;
const tronText = createBase58check((data: Uint8Array) => createHash("sha256").update(data).digest());
const tronCanaries = canaryPairs.filter(({ family }) => family === "tron");

/**
 * Events about transactions of Solana and TRON, in one seed of four. They use few accounts, so that they write accounts
 * that others name.
 */
export function transactionsOf(
  dice: Dice,
  forms: Dice,
): Omit<KnownTransactions, "evm"> & { readonly events: readonly Content[] } {
  const tron = new Map<string, Action>();
  if (!dice.chance(SHARE)) return { solana: new Map(), tron, hasNames: true, events: [] };
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => dice.int(0, 255));
  const accounts = Array.from({ length: dice.int(4, 16) }, () => base58.encode(bytes(32)));
  const owners = Array.from({ length: 3 }, () => tronText.encode(Uint8Array.of(0x41, ...bytes(20))));
  const realtime = dice.pick([0, 0.3, 1]);
  const failing = dice.pick([0, 0.1, 0.5]);
  const event = (content: Content) => ({
    type: "transaction",
    ...(dice.chance(realtime) ? { lane: "realtime" } : {}),
    ...content,
  });
  const solana = new SolanaTransactions(dice, forms, accounts, failing);
  const onTron = () => {
    // The pair is reversed, because the canary itself belongs to the worker.
    const { user, target } = dice.pick(tronCanaries);
    const [owner, to] = dice.chance(0.3) ? [target, user] : [dice.pick(owners), dice.pick(owners)];
    const timestamp = dice.int(1, 1e12);
    tron.set(String(timestamp), dice.chance(failing) ? dice.pick(["WARN", "BLOCK"]) : "ALLOW");
    const value = { owner_address: owner, to_address: to, amount: dice.int(1, 1_000) };
    const contract = [{ type: "TransferContract", parameter: { value } }];
    return event({ chain_id: "tron", transaction: { visible: true, raw_data: { contract, timestamp } } });
  };
  const solanaShare = dice.pick([1, 1, 0.7, 0]);
  const events = Array.from({ length: dice.int(2, 12) }, () =>
    dice.chance(solanaShare) ? event(solana.event()) : onTron(),
  );
  // Some events occur twice.
  return {
    solana: solana.known,
    tron,
    hasNames: dice.chance(0.7),
    events: events.map((each) => (dice.chance(0.05) ? dice.pick(events) : each)),
  };
}

/** The keys of the transactions of a request or of an event. */
export function keysOf(transactions: unknown): readonly string[] {
  return [transactions].flat().map((transaction) => {
    const { raw_data, to } = transaction as {
      readonly raw_data?: { readonly timestamp: number };
      readonly to?: string;
    };
    if (to !== undefined) return evmKeyOf({ ...(transaction as object), to });
    return solanaKeyOf(transaction as object) ?? String(raw_data?.timestamp);
  });
}
