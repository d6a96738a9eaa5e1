import { sha256 } from "../../kernel/hash.ts";
import { PartitionLedger } from "../../worker/offsets/partition-ledger.ts";

/** The progress in a file: every line up to `lines` is durable, and `sha256` covers their records. */
export interface Enqueued {
  readonly lines: number;
  readonly sha256: string;
}

/** No progress. */
export const NOTHING: Enqueued = { lines: 0, sha256: sha256("") };

/** The next hash of the chain, over the previous hash, this line's number, and its record. */
export function chained(before: string, line: number, value: Uint8Array): string {
  return sha256(Buffer.concat([Buffer.from(`${before}\n${line}\n`), value]));
}

/** Most records in flight: enough for full sends to a dozen partitions. */
const MAX_RECORDS = 5_000;
const MAX_BYTES = 16 * 1024 * 1024;
/**
 * Most lines from the first one that is not durable. A kill repeats up to this many lines, and their hashes are in
 * memory.
 */
const MAX_SPAN = 50_000;

/** The lines of a file that are being sent, and the last line up to which all lines are durable. */
export class EnqueueWindow {
  readonly #ledger: PartitionLedger;
  /** Hashes of sent lines behind one that may not be durable, in order. */
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

  /** The last line up to which every line is durable. */
  get done(): Enqueued {
    return this.#done;
  }

  /** Lines that are not durable yet. */
  get inFlight(): number {
    return this.#ledger.depth;
  }

  /**
   * Undefined while there is room for one more line, since a promise for each of millions of lines is expensive.
   * Otherwise resolves once there is room. Only one caller may wait at a time.
   *
   * @throws the reason of `fail`, at once or when it comes.
   */
  room(): Promise<void> | undefined {
    if (this.#failure !== undefined) throw this.#failure.thrown;
    if (!this.#isFull()) return undefined;
    this.#room = Promise.withResolvers();
    return this.#room.promise;
  }

  /** Stops the window: no more lines are sent, for this reason. */
  fail(thrown: unknown): void {
    this.#failure ??= { thrown };
    this.#room?.reject(thrown);
  }

  /** Adds a line. Lines arrive in the order of their numbers. */
  begin(line: number, value: Uint8Array): void {
    this.#ledger.admit(line, value.byteLength);
    this.#last = chained(this.#last, line, value);
    this.#hashes.push({ lines: line, sha256: this.#last });
  }

  /** Records that a line is durable. */
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
