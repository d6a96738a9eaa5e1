import type { Socket } from "node:net";

export interface Pace {
  readonly latencyMs: number;
  readonly bytesPerSec: number;
}

/** What waits is bounded, so that a sender faster than its pace is held back as a full network would. */
const MAX_WAITING_BYTES = 1 << 20;
/** Small against any rate a test asks for, so that bytes trickle and do not come in lumps. */
const SLICE_BYTES = 1024;

interface Waiting {
  /** undefined is the end of the stream. */
  readonly bytes: Buffer | undefined;
  readonly dueMs: number;
}

/**
 * Carries what `from` sends to `to`, in order and in its own time, the end of the stream included.
 *
 * `#waiting` is in the order of arrival and its due times never fall, also when the pace changes: what came later
 * never overtakes. One timer at most is set, for the first of them.
 */
export class PacedPipe {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #waiting: Waiting[] = [];
  #pace: Pace = { latencyMs: 0, bytesPerSec: Number.POSITIVE_INFINITY };
  #waitingBytes = 0;
  /** When the link has carried all it was given so far. */
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

  /** For what arrives from now on. */
  pace(pace: Pace): void {
    this.#pace = pace;
  }

  /** Loses what waits and all that comes. Not to be undone. */
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

  /** A source that was reset never ends its stream; what it sent before is lost with it. */
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
