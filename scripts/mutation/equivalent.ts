export interface Equivalent {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** Which of several such lines in the file; the first is 1. */
  readonly nth?: number;
  readonly why: string;
}

const GUARD = "if (first === undefined || second === undefined) return;";

const COMPACT = "if (this.#start < COMPACT_AT || 2 * this.#start < this.#offsets.length) return;";
const SEARCH = "let high = Math.min(last, this.#start + (offset - this.#offsetAt(this.#start)));";
const TOKENLESS = '(subject.type === "unreadable" || subject.token_address === undefined)';
const MISSING =
  'return subject.type !== "unreadable" && subject.token_address !== undefined ? [...found, tokenMissing] : found;';
const ADDRESSLESS = 'if (subject.type === "unreadable" || subject.address === undefined) return undefined;';
const CUT = "const characters = [...unsteered(text.slice(0, 4 * maxLength))];";
const LAST = "if (owned !== undefined) this.#last = owned;";
const BITS = "for (let bit = 0; bit < 8; bit++) if ((bits >> bit) & 1) settled.push(watermark + 1 + 8 * byte + bit);";
const AHEAD = "for (let at = this.#start; at < this.#offsets.length; at++) {";
const CHILD = "const child = dueAt(heap, right) < dueAt(heap, left) ? right : left;";
const FEW = "return reasons.length <= MAX_REASONS;";
const LITTLE = "for (const { detail } of reasons) if (detail.length > room) return false;";

type Lines = readonly [before: string, after: string, nth?: number];

const alike = (file: string, why: string, all: readonly Lines[]): readonly Equivalent[] =>
  all.map(([before, after, nth]) => ({ file, before, after, why, ...(nth === undefined ? {} : { nth }) }));

/** Mutants that no test can tell from the original. */
export const equivalent: readonly Equivalent[] = [
  ...alike("src/worker/decide.ts", "undefined is as good as false", [
    ["return false;", ";", 2],
    ["return false;", ";", 3],
  ]),
  ...alike("src/worker/findings/poisoning.ts", "what is unreadable has none: the type checker wants it", [
    [TOKENLESS, TOKENLESS.replace("unreadable", "")],
    [MISSING, MISSING.replace("unreadable", "")],
    [ADDRESSLESS, ADDRESSLESS.replace("unreadable", "")],
  ]),
  ...alike("src/worker/findings/quoted.ts", "four times are enough already: the first cut only saves work", [
    [CUT, CUT.replace("4", "5")],
  ]),
  ...alike("src/worker/answer-cache.ts", "every answer takes more than a byte, and is raised or not as it comes", [
    ["if (known.bytes > 0) this.#drop(known);", "if (known.bytes > 1) this.#drop(known);"],
    ["isRaised: false,", "isRaised: true,"],
  ]),
  ...alike("src/worker/ledger/tenures.ts", "it is found anew", [[LAST, LAST.replace("!==", "===")]]),
  ...alike("src/worker/decide.ts", "it goes the longer way, which keeps as much", [
    [LITTLE, LITTLE.replace(">", ">=")],
    [FEW, "return undefined;"],
    [FEW, FEW.replace("<=", "<")],
  ]),
  {
    file: "src/worker/pace/gate.ts",
    before: "this.#waiting.delete(reject);",
    after: ";",
    nth: 2,
    why: "who was rejected already is rejected to no effect: it frees memory only",
  },
  ...alike("src/worker/poll/ticket-book.ts", "never true: the type checker wants it", [
    [GUARD, "if (first === undefined && second === undefined) return;"],
    [GUARD, "if (first === undefined || second === undefined) ;"],
  ]),
  ...alike("src/worker/poll/ticket-book.ts", "the root has no parent, and swaps with nobody", [
    ["for (let at = heap.length - 1; at > 0; ) {", "for (let at = heap.length - 1; at >= 0; ) {"],
  ]),
  ...alike("src/worker/poll/ticket-book.ts", "of those that are due at the same time any may come first", [
    ["if (dueAt(heap, parent) <= dueAt(heap, at)) break;", "if (dueAt(heap, parent) < dueAt(heap, at)) break;"],
    [CHILD, CHILD.replace("<", "<=")],
    ["if (dueAt(heap, child) >= dueAt(heap, at)) break;", "if (dueAt(heap, child) > dueAt(heap, at)) break;"],
  ]),
  ...alike("src/worker/ledger/partition-ledger.ts", "says only when what is settled is forgotten, which nobody sees", [
    ["const COMPACT_AT = 1_024;", "const COMPACT_AT = 1025;"],
    [COMPACT, "if (!(this.#start < COMPACT_AT || 2 * this.#start < this.#offsets.length)) return;"],
    [COMPACT, "if (this.#start <= COMPACT_AT || 2 * this.#start < this.#offsets.length) return;"],
    [COMPACT, "if (this.#start < COMPACT_AT || 3 * this.#start < this.#offsets.length) return;"],
  ]),
  ...alike("src/worker/ledger/partition-ledger.ts", "nothing lies behind the last", [
    [AHEAD, AHEAD.replace("<", "<=")],
  ]),
  ...alike("src/worker/ledger/settled-ahead.ts", "a byte has no ninth bit", [
    [BITS, BITS.replace("bit < 8", "bit < 9")],
  ]),
  ...alike("src/worker/ledger/partition-ledger.ts", "a wider search finds the same, later", [
    [SEARCH, SEARCH.replace("min", "max")],
    [SEARCH, SEARCH.replace("offset -", "offset +")],
  ]),
  ...alike("src/worker/pace/breaker.ts", "ten events are enough: more are kept to no effect", [
    ["if (this.#events.size >= BREAKER_FAILURES) break;", "if (this.#events.size >= BREAKER_FAILURES) ;"],
  ]),
];
