import { sha256 } from "../../kernel/hash.ts";
import { PartitionLedger } from "../../worker/offsets/partition-ledger.ts";

/** How far a file is enqueued: every line up to `lines` is durable, and `sha256` is over what was made of them. */
export interface Enqueued {
  readonly lines: number;
  readonly sha256: string;
}

/** Nothing yet. */
export const NOTHING: Enqueued = { lines: 0, sha256: sha256("") };

/** The next hash of the chain: of all before, this line's number, and what it becomes. */
export function chained(before: string, line: number, value: Uint8Array): string {
  return sha256(Buffer.concat([Buffer.from(`${before}\n${line}\n`), value]));
}

/** Records in flight at once. Enough for full sends to a dozen partitions. */
const MAX_RECORDS = 5_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Lines from the first that is not durable: what a kill makes come twice, and what is remembered of each. */
const MAX_SPAN = 50_000;

/** The lines of a file that are being sent, and up to where all of them are durable. */
export class EnqueueWindow {
  readonly #ledger: PartitionLedger;
  /** Of lines that are sent and may lie behind one that is not durable, in order. */
  #hashes: Enqueued[] = [];
  #done: Enqueued;
  #last: string;
  #room: PromiseWithResolvers<void> | undefined;
  #failure: { readonly thrown: unknown } | undefined;

  constructor(begun: Enqueued) {
    this.#ledger = new PartitionLedger(begun.lines + 1);
    this.#done = begun;
    this.#last = begun.sha256;
  }

  /** Every line up to here is durable. */
  get done(): Enqueued {
    return this.#done;
  }

  /** Lines that are not durable yet. */
  get inFlight(): number {
    return this.#ledger.depth;
  }

  /**
   * Nothing while there is room for one more line: a promise for each line would be one for each of millions. Otherwise
   * resolves once there is. One waits at a time.
   *
   * @throws what it failed with, at once or as soon as it fails.
   */
  room(): Promise<void> | undefined {
    if (this.#failure !== undefined) throw this.#failure.thrown;
    if (!this.#isFull()) return undefined;
    this.#room = Promise.withResolvers();
    return this.#room.promise;
  }

  /** Nothing more is to be sent, for this reason. */
  fail(thrown: unknown): void {
    this.#failure ??= { thrown };
    this.#room?.reject(thrown);
  }

  /** Takes a line in. Lines come in the order of their numbers. */
  begin(line: number, value: Uint8Array): void {
    this.#ledger.admit(line, value.byteLength);
    this.#last = chained(this.#last, line, value);
    this.#hashes.push({ lines: line, sha256: this.#last });
  }

  /** A line is durable. */
  end(line: number): void {
    const before = this.#ledger.watermark;
    this.#ledger.settle(line);
    if (this.#ledger.watermark > before) this.#advance();
    if (!this.#isFull()) this.#room?.resolve();
  }

  #advance(): void {
    const firstOpen = this.#hashes.findIndex(({ lines }) => lines >= this.#ledger.watermark);
    const durable = this.#hashes.splice(0, firstOpen === -1 ? this.#hashes.length : firstOpen);
    this.#done = durable.at(-1) ?? this.#done;
  }

  #isFull(): boolean {
    const { depth, bytes, span } = this.#ledger;
    return depth >= MAX_RECORDS || bytes >= MAX_BYTES || span >= MAX_SPAN;
  }
}
