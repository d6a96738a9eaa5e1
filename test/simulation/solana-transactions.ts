import { base58 } from "@scure/base";
import { compileMessage } from "../../src/chains/solana/message/compile-message.ts";
import type { Dice } from "./scenario.ts";

/**
 * The outcome of a Solana transaction at a service. A refused transaction makes the service refuse its whole request.
 */
type SolanaOutcome = "fine" | "failed" | "risky" | "refused";

/** A Solana transaction with the facts that its generator knows. */
export interface KnownSolana {
  readonly outcome: SolanaOutcome;
  readonly payer: string;
  readonly writable: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
  readonly isSerialized: boolean;
  /** The address that has more afterwards, by its simulation unless it fails. */
  readonly receiver: string | undefined;
  /** Whether the recipient stands in a table on the chain, so that only a simulation shows it. */
  readonly isReceiverInTable: boolean;
  /** The transactions of the event, in order. A transaction that must go alone shares no request with another event. */
  readonly event: readonly string[];
  readonly goesAlone: boolean;
}

type Content = Readonly<Record<string, unknown>>;

const UPGRADEABLE_LOADER = "BPFLoaderUpgradeab1e11111111111111111111111";
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

/** Makes Solana transactions over a few accounts and records their facts. */
export class SolanaTransactions {
  readonly known = new Map<string, KnownSolana>();
  readonly #dice: Dice;
  /** Separate dice, so that its draws affect nothing else. */
  readonly #forms: Dice;
  readonly #accounts: readonly string[];
  readonly #receivers: readonly string[];
  readonly #table: string;
  readonly #outcome: () => SolanaOutcome;

  /** @param failing the share of transactions that do not end well. */
  constructor(dice: Dice, forms: Dice, accounts: readonly string[], failing: number) {
    this.#dice = dice;
    this.#forms = forms;
    this.#accounts = accounts;
    const key = () => base58.encode(bytesOf(32, forms));
    this.#receivers = [key(), key(), imitationOf(forms.pick(accounts), forms)];
    this.#table = key();
    this.#outcome = () => (dice.chance(failing) ? dice.pick(["failed", "risky", "refused"]) : "fine");
  }

  /** One transaction, or a few in order, of one event. */
  event(): Content {
    const dice = this.#dice;
    const count = dice.chance(0.15) ? dice.int(2, 3) : 1;
    const payer = dice.pick(this.#accounts);
    const data = Array.from({ length: count }, () => Buffer.from(dice.hex(12)).toString("base64"));
    const made = data.map((each) => this.#make(payer, each, count === 1));
    const event = made.map(({ key }) => key);
    for (const { key, known } of made)
      this.known.set(key, { ...known, event, goesAlone: known.goesAlone || count > 1 });
    const transactions = made.map(({ transaction }) => transaction);
    const transaction = count > 1 || dice.chance(0.1) ? transactions : transactions[0];
    return { chain_id: "solana", user_addresses: this.#accounts, transaction };
  }

  #make(payer: string, data: string, isOnly: boolean) {
    const [dice, forms] = [this.#dice, this.#forms];
    const usesLoader = dice.chance(0.1);
    const others = Array.from({ length: dice.int(0, 2) }, () => dice.pick(this.#accounts));
    // Every writable account signs too and belongs to the user. So only the recipient is compared.
    const isWritable = others.map(() => dice.chance(0.4));
    const form = isOnly
      ? forms.pick(["structured", "structured", "serialized", "with a table"] as const)
      : "structured";
    const isReceiverInTable = form === "with a table";
    const receiver = isReceiverInTable || (isOnly && forms.chance(0.4)) ? forms.pick(this.#receivers) : undefined;
    const written = receiver === undefined || isReceiverInTable ? [] : [receiver];
    const instruction = {
      programId: MEMO,
      keys: [
        ...others.map((pubkey, i) => ({
          pubkey,
          isSigner: isWritable[i] === true,
          isWritable: isWritable[i] === true,
        })),
        ...written.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true })),
        ...(usesLoader ? [{ pubkey: UPGRADEABLE_LOADER, isSigner: false, isWritable: false }] : []),
      ],
      data,
    };
    const text = () => serialized(payer, instruction, isReceiverInTable ? this.#table : undefined, forms);
    const transaction =
      form === "structured"
        ? { feePayer: payer, instructions: [instruction] }
        : { transaction: text(), encoding: "base64" };
    const known = {
      outcome: this.#outcome(),
      payer,
      writable: new Set([payer, ...others.filter((_, i) => isWritable[i]), ...written]),
      named: new Set([payer, ...others, ...written, MEMO]),
      isSerialized: form !== "structured",
      receiver,
      isReceiverInTable,
      goesAlone: usesLoader || isReceiverInTable,
    };
    return { key: solanaKeyOf(transaction) ?? "", transaction, known };
  }
}

/** The key of a transaction: its bytes, or its unique data. Undefined for a value that is no transaction. */
export function solanaKeyOf(transaction: object): string | undefined {
  const { transaction: text, instructions } = transaction as {
    readonly transaction?: string;
    readonly instructions?: readonly { readonly data: string }[];
  };
  return text ?? instructions?.[0]?.data;
}

interface Instruction {
  readonly programId: string;
  readonly keys: readonly { readonly pubkey: string; readonly isSigner: boolean; readonly isWritable: boolean }[];
  readonly data: string;
}

/**
 * The bytes that are signed, of version 0 when the first account of a table is writable. Source: Solana, "Transaction
 * format".
 */
function serialized(
  payer: string,
  { programId, keys, data }: Instruction,
  table: string | undefined,
  dice: Dice,
): string {
  const accounts = keys.map(({ pubkey, ...use }) => ({ address: pubkey, ...use }));
  const compiled = compileMessage(payer, [{ program: programId, accounts, data: Buffer.from(data, "base64") }]);
  if (!compiled.ok) throw new Error(compiled.detail);
  const { bytes, signers } = compiled.value;
  const lookups = table === undefined ? [] : [1, ...base58.decode(table), 1, 0, 0];
  const message = table === undefined ? bytes : [0x80, ...bytes, ...lookups];
  return Buffer.from([signers, ...bytesOf(64 * signers, dice), ...message]).toString("base64");
}

/** Another address with the same beginning and the same ending. */
function imitationOf(address: string, dice: Dice): string {
  const isKey = (text: string) => base58.decode(text).length === 32;
  for (;;) {
    const middle = base58.encode(bytesOf(32, dice)).slice(0, address.length - 12);
    const imitation = `${address.slice(0, 6)}${middle}${address.slice(-6)}`;
    if (imitation.length === address.length && imitation !== address && isKey(imitation)) return imitation;
  }
}

function bytesOf(count: number, dice: Dice): Uint8Array {
  return Uint8Array.from({ length: count }, () => dice.int(0, 255));
}
