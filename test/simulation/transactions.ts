import { createHash } from "node:crypto";
import { base58, createBase58check } from "@scure/base";
import { canaryPairs } from "../../src/worker/poisoning-pool/canary-pairs.generated.ts";
import type { Dice } from "./scenario.ts";

/** What a service makes of a Solana transaction: of one that is refused, it takes no request at all. */
type SolanaOutcome = "fine" | "failed" | "risky" | "refused";
/** What it recommends about one of TRON. */
type Action = "ALLOW" | "WARN" | "BLOCK";

/** A Solana transaction as its maker knows it. */
export interface KnownSolana {
  readonly outcome: SolanaOutcome;
  readonly payer: string;
  readonly writable: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
  /** The transactions of its event, in order; one that is known to go alone has no other event's beside them. */
  readonly event: readonly string[];
  readonly goesAlone: boolean;
}

/** The transactions of a scenario, by what tells each from all others. */
export interface KnownTransactions {
  readonly solana: ReadonlyMap<string, KnownSolana>;
  readonly tron: ReadonlyMap<string, Action>;
  /** Whether results say under which name they were asked. */
  readonly hasNames: boolean;
}

type Content = Readonly<Record<string, unknown>>;

const SHARE = 0.25;
const UPGRADEABLE_LOADER = "BPFLoaderUpgradeab1e11111111111111111111111";
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const tronText = createBase58check((data: Uint8Array) => createHash("sha256").update(data).digest());
const tronCanaries = canaryPairs.filter(({ family }) => family === "tron");

/** Events about transactions, in one seed of four: few accounts, so that they write what others name. */
export function transactionsOf(dice: Dice): KnownTransactions & { readonly events: readonly Content[] } {
  const solana = new Map<string, KnownSolana>();
  const tron = new Map<string, Action>();
  if (!dice.chance(SHARE)) return { solana, tron, hasNames: true, events: [] };
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => dice.int(0, 255));
  const accounts = Array.from({ length: dice.int(4, 16) }, () => base58.encode(bytes(32)));
  const owners = Array.from({ length: 3 }, () => tronText.encode(Uint8Array.of(0x41, ...bytes(20))));
  const realtime = dice.pick([0, 0.3, 1]);
  const failing = dice.pick([0, 0.1, 0.4]);
  const event = (content: Content) => ({
    type: "transaction",
    ...(dice.chance(realtime) ? { lane: "realtime" } : {}),
    ...content,
  });
  const outcome = (): SolanaOutcome => (dice.chance(failing) ? dice.pick(["failed", "risky", "refused"]) : "fine");
  const onSolana = () => {
    const count = dice.chance(0.15) ? dice.int(2, 3) : 1;
    const payer = dice.pick(accounts);
    const keys = Array.from({ length: count }, () => Buffer.from(dice.hex(12)).toString("base64"));
    const transactions = keys.map((data) => {
      const usesLoader = dice.chance(0.1);
      const others = Array.from({ length: dice.int(0, 2) }, () => dice.pick(accounts));
      // Who is written signs, too, and is the user's: then nobody is compared with anybody.
      const isWritable = others.map(() => dice.chance(0.4));
      const names = others.map((pubkey, i) => ({ pubkey, isSigner: isWritable[i], isWritable: isWritable[i] }));
      const loader = usesLoader ? [{ pubkey: UPGRADEABLE_LOADER, isSigner: false, isWritable: false }] : [];
      const writable = new Set([payer, ...others.filter((_, i) => isWritable[i])]);
      const named = new Set([payer, ...others, MEMO]);
      const goesAlone = usesLoader || count > 1;
      solana.set(data, { outcome: outcome(), payer, writable, named, event: keys, goesAlone });
      return { feePayer: payer, instructions: [{ programId: MEMO, keys: [...names, ...loader], data }] };
    });
    const transaction = count > 1 || dice.chance(0.1) ? transactions : transactions[0];
    return event({ chain_id: "solana", user_addresses: accounts, transaction });
  };
  const onTron = () => {
    // The other way round than a canary: that one is the worker's.
    const { user, target } = dice.pick(tronCanaries);
    const [owner, to] = dice.chance(0.3) ? [target, user] : [dice.pick(owners), dice.pick(owners)];
    const timestamp = dice.int(1, 1e12);
    tron.set(String(timestamp), dice.chance(failing) ? dice.pick(["WARN", "BLOCK"]) : "ALLOW");
    const value = { owner_address: owner, to_address: to, amount: dice.int(1, 1_000) };
    const contract = [{ type: "TransferContract", parameter: { value } }];
    return event({ chain_id: "tron", transaction: { visible: true, raw_data: { contract, timestamp } } });
  };
  const solanaShare = dice.pick([1, 1, 0.7, 0]);
  const events = Array.from({ length: dice.int(2, 12) }, () => (dice.chance(solanaShare) ? onSolana() : onTron()));
  // Some are asked twice.
  return {
    solana,
    tron,
    hasNames: dice.chance(0.7),
    events: events.map((each) => (dice.chance(0.05) ? dice.pick(events) : each)),
  };
}

/** What tells the transactions of a request, or of an event, from all others. */
export function keysOf(transactions: unknown): readonly string[] {
  return [transactions].flat().map((transaction) => {
    const { instructions, raw_data } = transaction as {
      readonly instructions?: readonly { readonly data: string }[];
      readonly raw_data?: { readonly timestamp: number };
    };
    return instructions?.[0]?.data ?? String(raw_data?.timestamp);
  });
}
