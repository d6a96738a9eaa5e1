import { Account, Clock, FailedTransactionMetadata, LiteSvm, type TransactionMetadata } from "litesvm/dist/internal.js";
import type { AccountState } from "../../../chains/solana/accounts/account-state.ts";
import { keyBytes, keyText } from "../../../chains/solana/key.ts";
import type { Message } from "../../../chains/solana/message/message.ts";
import { wireOf } from "../node/wire.ts";

/** Slots of an epoch, the first one included. Source: mainnet's genesis, without warm-up. */
const SLOTS_PER_EPOCH = 432_000;

/**
 * The result of one transaction. `after` holds the accounts that the transaction may write, and nothing when it failed.
 */
export interface SimulatedRun {
  readonly failed: FailedTransactionMetadata | undefined;
  readonly meta: TransactionMetadata;
  readonly after: readonly (readonly [string, AccountState])[];
}

/**
 * LiteSVM by its native class. The public class above it parses every transaction again, and encodes every key of every
 * account by its own slow base58. That takes as long as the run itself, and the public class has no other feature that
 * is needed here.
 */
export class Runtime {
  readonly #svm = new LiteSvm();

  constructor() {
    this.#svm.setSigverify(false);
    this.#svm.setBlockhashCheck(false);
    this.#svm.setTransactionHistory(0n);
    this.#svm.setLogBytesLimit();
    this.#svm.withNativeMints();
  }

  get slot(): number {
    return Number(this.#svm.getClock().slot);
  }

  /** `unixTimestamp` in seconds. The epoch must match the slot, or no stake would be active and no lockup over. */
  setTime(slot: number, unixTimestamp: number): void {
    const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH));
    this.#svm.setClock(new Clock(BigInt(slot), 0n, epoch, epoch + 1n, BigInt(unixTimestamp)));
  }

  read(address: string): AccountState | undefined {
    const account = this.#svm.getAccount(keyBytes(address));
    return account === null ? undefined : stateOf(account);
  }

  /** Sets an account. An account without lamports does not exist. @throws for code that does not load. */
  set(address: string, { lamports, data, owner, executable }: AccountState): void {
    this.#svm.setAccount(keyBytes(address), new Account(lamports, data, keyBytes(owner), executable, 0n));
  }

  /** Runs the message without an effect on the machine. */
  simulate(message: Message): SimulatedRun {
    const wire = wireOf(message);
    const result =
      message.version === "legacy"
        ? this.#svm.simulateLegacyTransaction(wire)
        : this.#svm.simulateVersionedTransaction(wire);
    if (result instanceof FailedTransactionMetadata) return { failed: result, meta: result.meta(), after: [] };
    const after = result.postAccounts().map((each) => [keyText(each.address), stateOf(each.account())] as const);
    return { failed: undefined, meta: result.meta(), after };
  }

  /** Runs the message and keeps its effects. */
  send(message: Message): Omit<SimulatedRun, "after"> {
    const wire = wireOf(message);
    const result =
      message.version === "legacy" ? this.#svm.sendLegacyTransaction(wire) : this.#svm.sendVersionedTransaction(wire);
    return result instanceof FailedTransactionMetadata
      ? { failed: result, meta: result.meta() }
      : { failed: undefined, meta: result };
  }
}

function stateOf(account: Account): AccountState {
  const owner = keyText(account.owner());
  return { lamports: account.lamports(), owner, executable: account.executable(), data: account.data() };
}
