import type { Socket } from "node:net";

export interface Pace {
  readonly latencyMs: number;
  readonly bytesPerSec: number;
}

/** Limit of the waiting bytes, so that a sender above the pace is blocked as by a full network. */
const MAX_WAITING_BYTES = 1 << 20;
/** Small against any tested rate, so that bytes arrive evenly. */
const SLICE_BYTES = 1024;

interface Waiting {
  /** Undefined means the end of the stream. */
  readonly bytes: Buffer | undefined;
  readonly dueMs: number;
}

/**
 * Carries the bytes of `from` to `to`, in order and with its own timing, including the end of the stream.
 *
 * `#waiting` is in the order of arrival. Its due times never decrease, also when the pace changes, so later bytes never
 * overtake. There is at most one timer, for the first entry.
 */
export class PacedPipe {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #waiting: Waiting[] = [];
  #pace: Pace = { latencyMs: 0, bytesPerSec: Number.POSITIVE_INFINITY };
  #waitingBytes = 0;
  /** The time at which the link has carried all bytes so far. */
  #freeAtMs = 0;
  #lastDueMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #swallowing = false;

  constructor(from: Socket, to: Socket) {
    this.#from = from;
    this.#to = to;
    from.on("data", (bytes: Buffer) => this.#take(bytes));
    from.on("end", () => this.#take(undefined));
    from.on("close", () => this.#closed());
    to.on("drain", () => this.#regulate());
  }

  /** Sets the pace for bytes that arrive from now on. */
  pace(pace: Pace): void {
    this.#pace = pace;
  }

  /** Drops the waiting bytes and all later ones, for good. */
  swallow(): void {
    this.#swallowing = true;
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
    clearTimeout(this.#timer);
    this.#from.resume();
  }

  #take(bytes: Buffer | undefined): void {
    if (this.#swallowing) return;
    const now = performance.now();
    for (const slice of slicesOf(bytes, this.#pace)) {
      const carryMs = ((slice?.length ?? 0) / this.#pace.bytesPerSec) * 1000;
      this.#freeAtMs = Math.max(this.#freeAtMs, now) + carryMs;
      this.#lastDueMs = Math.max(this.#lastDueMs, this.#freeAtMs + this.#pace.latencyMs);
      this.#waiting.push({ bytes: slice, dueMs: this.#lastDueMs });
      this.#waitingBytes += slice?.length ?? 0;
    }
    this.#deliver();
  }

  #deliver(): void {
    clearTimeout(this.#timer);
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const waitMs = first.dueMs - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#deliver(), Math.ceil(waitMs));
        break;
      }
      this.#waiting.shift();
      this.#waitingBytes -= first.bytes?.length ?? 0;
      if (first.bytes === undefined) this.#to.end();
      else this.#to.write(first.bytes);
    }
    this.#regulate();
  }

  #regulate(): void {
    if (this.#swallowing) return;
    if (this.#waitingBytes > MAX_WAITING_BYTES || this.#to.writableNeedDrain) this.#from.pause();
    else this.#from.resume();
  }

  /** A source that was reset never ends its stream, and its earlier bytes are lost with it. */
  #closed(): void {
    if (this.#from.readableEnded || this.#swallowing) return;
    clearTimeout(this.#timer);
    if (!this.#to.destroyed) this.#to.resetAndDestroy();
  }
}

function slicesOf(bytes: Buffer | undefined, { bytesPerSec }: Pace): readonly (Buffer | undefined)[] {
  if (bytes === undefined || bytesPerSec === Number.POSITIVE_INFINITY) return [bytes];
  const count = Math.ceil(bytes.length / SLICE_BYTES);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * SLICE_BYTES, (i + 1) * SLICE_BYTES));
}
