export interface Equivalent {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** Number of the matching line in the file; the first is 1. */
  readonly nth?: number;
  readonly why: string;
}

/** By line, the first occurrence of a text in the line, and its replacement. */
type Changes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** @param file in src/worker. @param which of several matching lines in the file; by default all. */
function alike(file: string, why: string, changes: Changes, which?: readonly number[]): readonly Equivalent[] {
  const mutants = Object.entries(changes).flatMap(([before, all]) =>
    Object.entries(all).map(([from, to]) => {
      return { file: `src/worker/${file}`, before, after: before.replace(from, () => to), why };
    }),
  );
  return which === undefined ? mutants : mutants.flatMap((mutant) => which.map((nth) => ({ ...mutant, nth })));
}

/** Mutants that no test can distinguish from the original. */
export const equivalent: readonly Equivalent[] = [
  ...alike("decide/decide.ts", "undefined is as good as false", { "return false;": { "return false": "" } }, [2, 3]),
  ...alike("decide/kept-reasons.ts", "it goes the longer way, which keeps as much", {
    "for (const { detail } of reasons) if (detail.length > room) return false;": { ">": ">=" },
    "return reasons.length <= bounds.count;": { "reasons.length <= bounds.count": "undefined", "<=": "<" },
  }),
  ...alike("decide/findings/poisoning.ts", "what is unreadable has none: the type checker wants it", {
    '(subject.type === "unreadable" || subject.token_address === undefined)': { '"unreadable"': '""' },
    'return subject.type !== "unreadable" && subject.token_address !== undefined ? [...found, tokenMissing] : found;': {
      '"unreadable"': '""',
    },
    'if (subject.type === "unreadable" || subject.address === undefined) return undefined;': { '"unreadable"': '""' },
  }),
  ...alike("decide/findings/quoted.ts", "four times are enough already: the first cut only saves work", {
    "const characters = [...unsteered(text.slice(0, 4 * maxLength))];": { "4": "5" },
  }),
  ...alike("answers/answer-cache.ts", "every answer takes more than a byte, and is raised or not as it comes", {
    "if (known.bytes > 0) this.#drop(known);": { "0": "1" },
    "isRaised: false,": { false: "true" },
  }),
  ...alike("offsets/assignments.ts", "it is found anew", {
    "if (owned !== undefined) this.#last = owned;": { "!==": "===" },
  }),
  ...alike("checks/ticket-book.ts", "never true: the type checker wants it", {
    "if (first === undefined || second === undefined) return;": { "||": "&&", return: "" },
  }),
  ...alike("checks/ticket-book.ts", "the root has no parent, and swaps with nobody", {
    "for (let at = heap.length - 1; at > 0; ) {": { ">": ">=" },
  }),
  ...alike("checks/ticket-book.ts", "of those that are due at the same time any may come first", {
    "if (dueAt(heap, parent) <= dueAt(heap, at)) break;": { "<=": "<" },
    "const child = dueAt(heap, right) < dueAt(heap, left) ? right : left;": { "<": "<=" },
    "if (dueAt(heap, child) >= dueAt(heap, at)) break;": { ">=": ">" },
  }),
  ...alike("offsets/partition-ledger.ts", "says only when what is settled is forgotten, which nobody sees", {
    "const COMPACT_AT = 1_024;": { "1_024": "1025" },
    "if (this.#start < COMPACT_AT || 2 * this.#start < this.#offsets.length) return;": {
      "this.#start < COMPACT_AT || 2 * this.#start < this.#offsets.length":
        "!(this.#start < COMPACT_AT || 2 * this.#start < this.#offsets.length)",
      "<": "<=",
      "2": "3",
    },
  }),
  ...alike("offsets/partition-ledger.ts", "nothing lies behind the last", {
    "for (let at = this.#start; at < this.#offsets.length; at++) {": { "<": "<=" },
  }),
  ...alike("offsets/partition-ledger.ts", "a wider search finds the same, later", {
    "let high = Math.min(last, this.#start + (offset - this.#offsetAt(this.#start)));": { min: "max", "-": "+" },
  }),
  ...alike("offsets/completed-ahead.ts", "a byte has no ninth bit", {
    "for (let bit = 0; bit < 8; bit++) if ((bits >> bit) & 1) settled.push(watermark + 1 + 8 * byte + bit);": {
      "8": "9",
    },
  }),
  ...alike("rate-limit/breaker/circuit-breaker.ts", "ten events are enough: more are kept to no effect", {
    "if (this.#events.size >= BREAKER_FAILURES) break;": { break: "", ">=": ">" },
  }),
  ...alike("rate-limit/breaker/circuit-breaker.ts", "a probe that has ended is none: it fails once only", {
    "return;": { return: "" },
  }),
  ...alike("rate-limit/queue/fair-queue.ts", "only differences count, and all begin where it stands", {
    "#now = 0;": { "0": "1" },
    "#orders = 0;": { "0": "1" },
    "this.#now = 0;": { "0": "1", "this.#now = 0": "" },
    "const start = Math.max(this.#now, this.#idle.get(key) ?? 0);": { "0": "1" },
  }),
  ...alike("rate-limit/queue/fair-queue.ts", "it has its cost before anything is made of that", {
    "this.#visits.push({ flow, items: flow.items.items(), at: start, cost: 0, start });": { "0": "1" },
  }),
  ...alike("rate-limit/queue/fair-queue.ts", "no two have one number", {
    "readonly #visits = new Heap<Visit<K, T>>((a, b) => a.at < b.at || (a.at === b.at && a.flow.order < b.flow.order));":
      { "order <": "order <=" },
  }),
  ...alike("rate-limit/sharing/demand-meter.ts", "only differences count", {
    "#sent = 0;": { "0": "1" },
    "#busyMs = 0;": { "0": "1" },
  }),
  ...alike("rate-limit/learner/rate-learner.ts", "only differences count, and before the first opening none do", {
    "#opening: Opening = { at: Number.NEGATIVE_INFINITY, unsureMs: 0, taken: 0 };": {
      "0": "1",
      "taken: 0": "taken: 1",
    },
    "const opening = { at: at - unsureMs / 2, unsureMs, taken: this.#taken - 1 };": {
      "#taken -": "#taken +",
      "1": "0",
    },
  }),
  ...alike("rate-limit/learner/rate-learner.ts", "the first 429 says it anew", {
    "#isTold = false;": { false: "true" },
  }),
  ...alike("rate-limit/learner/exhausted-quota.ts", "the constructor sets it", { "#nextAt = 0;": { "0": "1" } }),
  ...alike("rate-limit/learner/rate-phases.ts", "never true: the type checker wants it", {
    'if (this.#phase.is !== "measuring") return;': { return: "" },
  }),
  ...alike("rate-limit/sharing/quota-member.ts", "the first statement is due whatever was stated before", {
    "#stated = { at: Number.NEGATIVE_INFINITY, demand: 0, refusals: 0 };": { "0": "1", "refusals: 0": "refusals: 1" },
  }),
  ...alike("rate-limit/sharing/quota-member.ts", "an equal share is told of before; nothing comes of none either way", {
    "if (share === this.#perSecond || (share > this.#perSecond && share < NEWS * this.#perSecond)) return;": {
      ">": ">=",
    },
    "slots.pace(share > 0 ? Math.min(CLOSED_MS, 1_000 / share) : CLOSED_MS);": { ">": ">=" },
  }),
  ...alike("rate-limit/sharing/shared-quota.ts", "no two have one name", {
    "const everyone = [...this.#members.values()].toSorted((a, b) => (a.member < b.member ? -1 : 1));": { "<": "<=" },
  }),
  ...alike("rate-limit/sharing/shared-quota.ts", "never undefined: the type checker wants it", {
    "const sharers = everyone.map(({ demand }, i) => ({ demand, weight: weights[i] ?? 1 }));": { "1": "2" },
    "return total * Math.min(1 / 2, (weights[names.indexOf(self)] ?? 0) / all);": { "?? 0": "?? 1" },
  }),
  ...alike("rate-limit/sharing/active-senders.ts", "never undefined: the type checker wants it", {
    "const demand = (i: number) => demands[i] ?? 0;": { "0": "1" },
  }),
  ...alike("rate-limit/sharing/whole-shares.ts", "never undefined: the type checker wants it", {
    "const eager = [...demands.keys()].filter((i) => (more[i]?.demand ?? 0) >= (shares[i] ?? 0));": {
      "0": "1",
      "] ?? 0": "] ?? 1",
    },
    "const i = eager[(turn * left + k) % eager.length] ?? 0;": { "0": "1" },
    "shares[i] = (shares[i] ?? 0) + 1;": { "0": "1" },
  }),
  ...alike("rate-limit/queue/connection-reserve.ts", "it goes the longer way, which says as much", {
    'return left >= line.size ? line.size : Math.min(line.size, Math.max(left, line.waits("realtime")));': {
      ">=": ">",
    },
  }),
  ...alike("rate-limit/gate/gate.ts", "only saves a look that finds nothing new", {
    "if (this.#room.backfillsLeft(this.#deps.clock.ticks()) < this.#line.size) this.#goOnSoon();": { "<": "<=" },
  }),
  ...alike("rate-limit/sharing/max-min.ts", "each is set to its share", {
    "const shares = demands.map(() => 0);": { "0": "1" },
  }),
  ...alike("rate-limit/gate/refusals/refusals.ts", "the first one begins the count anew, or finds none", {
    "#count = 0;": { "0": "1" },
    "#keys = -1;": { "1": "0" },
  }),
  ...alike("rate-limit/learner/search/doubling-search.ts", "ten, doubled, goes from 320 to 640", {
    "const UNPACED = 400;": { "400": "401" },
    "this.#rate = 2 * this.#rate < UNPACED ? 2 * this.#rate : Number.POSITIVE_INFINITY;": { "<": "<=" },
  }),
  ...alike("rate-limit/learner/search/probe.ts", "a twentieth, times three, goes from 0.45 to 1.35", {
    "if (isNews || this.#growth < ENOUGH_GROWTH) this.#growth *= MORE_GROWTH;": { "<": "<=" },
  }),
  ...alike(
    "batching/queue/similar-users.ts",
    "a stricter shape that is kept finds nobody whom the looser one does not",
    {
      "const isWithin = (a: Shape, b: Shape) => a.prefix <= b.prefix && a.suffix <= b.suffix;": {
        "<=": "<",
        "suffix <=": "suffix <",
      },
      "shapes.every((other, j) => i === j || !isWithin(other, shape) || (isWithin(shape, other) && i < j)),": {
        "<": "<=",
        every: "some",
        "&&": "||",
      },
    },
  ),
  ...alike("batching/queue/similar-users.ts", "other numbers, as different for addresses that are", {
    "let ends = 0;": { "0": "1" },
    "for (let i = 0; i < constantPrefix + prefix; i++) ends = ends * base + (rank[address.charCodeAt(i)] ?? 0);": {
      "base +": "base -",
    },
    "ends = ends * base + (rank[address.charCodeAt(i)] ?? 0);": { "+": "-" },
    "for (let i = address.length - suffix; i < address.length; i++)": { "<": "<=" },
    "const base = bitsPerCharacter === 4 ? 16 : bitsPerCharacter === 5 ? 36 : 62;": {
      "16": "17",
      "36": "37",
      "62": "63",
    },
  }),
  ...alike("batching/queue/similar-users.ts", "an address is of letters and digits: the type checker wants it", {
    "for (let i = 0; i < constantPrefix + prefix; i++) ends = ends * base + (rank[address.charCodeAt(i)] ?? 0);": {
      "?? 0": "?? 1",
    },
    "ends = ends * base + (rank[address.charCodeAt(i)] ?? 0);": { "0": "1" },
  }),
  ...alike("batching/queue/similar-users.ts", "an address is of letters and digits", {
    "const rank = Uint8Array.from({ length: 128 }, (_, code) =>": { "128": "129" },
  }),
  ...alike("batching/replies/answered-items.ts", "there is no place that is none: nobody finds what is noted for it", {
    "if (at === undefined) return;": { return: "" },
  }),
  ...alike("batching/replies/answered-items.ts", "of a set only the names are read", {
    "readonly #strangers = new ItemMap<true>();": { true: "false" },
    "if (at === undefined) this.#strangers.set(chain.id, parsed.value, true);": { true: "false" },
  }),
  ...alike("batching/replies/answered-items.ts", "only saves a look into a set that is empty", {
    "if (this.#repeated.size > 0 && this.#repeated.has(place))": { ">": ">=" },
  }),
  ...alike("batching/replies/answered-items.ts", "it goes the longer way, which finds the same", {
    "return asked !== undefined && item.address === asked.address && item.chain_id === asked.chain_id;": {
      "asked !== undefined && item.address === asked.address && item.chain_id === asked.chain_id": "undefined",
    },
  }),
  ...alike("batching/queue/distinct-items.ts", "of a set only the names are read", {
    "readonly #users = new ItemMap<true>();": { true: "false" },
    "readonly #targets = new ItemMap<true>();": { true: "false" },
    "readonly #tokens = new ItemMap<true>();": { true: "false" },
    "for (const user of users) this.#users.set(chain.id, user, true);": { true: "false" },
    "this.#targets.set(chain.id, target, true);": { true: "false" },
    "if (token !== undefined) this.#tokens.set(chain.id, token, true);": { true: "false" },
  }),
  ...alike("batching/ask-pooled.ts", "nothing is unproved where no canary is mute", {
    'const isUnproved = mute.size > 0 && evidence.includes("unproved");': { ">": ">=" },
  }),
  ...alike("batching/ask-pooled.ts", "there are three on each chain, or none", {
    'let canaries: Heard["canaries"] = places.length > 0 ? "sang" : "silent";': { "0": "1" },
  }),
  ...alike("batching/pooling-switch.ts", "only saves a look at the clock", {
    "return this.#offUntil > 0 && this.#clock.ticks() < this.#offUntil;": { ">": ">=", "0": "1" },
  }),
  ...alike("batching/queue/batch-conflicts.ts", "one newcomer was compared with all who are there", {
    "return newcomers > 1 && this.#areAlike(users) ? undefined : growth;": { "1": "0", ">": ">=" },
    "let newcomers = 0;": { "0": "1" },
  }),
  ...alike("batching/queue/batch-conflicts.ts", "undefined is as good as false", {
    "return false;": { "return false": "" },
  }),
  ...alike("batching/calibration/calibrator.ts", "undefined either way", {
    "return undefined;": { "return undefined": "" },
  }),
  ...alike(
    "batching/poisoning-batcher.ts",
    "undefined either way",
    { "return undefined;": { "return undefined": "" } },
    [1],
  ),
  ...alike("batching/poisoning-batcher.ts", "the same time twice", {
    "if (waiting.since < waitedSince) waitedSince = waiting.since;": { "<": "<=" },
  }),
  ...alike("batching/replies/answered-requests.ts", "it is looked at before: the type checker wants it", {
    'const isAnswer = found !== undefined && found !== "unproved" && !(found instanceof AppError);': {
      '"unproved"': '""',
    },
  }),
  ...alike("batching/queue/batch-delay.ts", "it wakes who is awake already", {
    "this.#look = undefined;": { "this.#look = undefined": "" },
  }),
  ...alike("batching/queue/batch-delay.ts", "undefined is as good as 0", {
    "if (this.#hasEnough(queue)) return 0;": { "0": "undefined" },
  }),
  ...alike("batching/batch-cutter.ts", "one and the other in turn, whichever way they are counted", {
    "const isTurnOfAlone = alone && (!pooled || ++this.#turns % 2 !== 0);": { "++": "--" },
  }),
  ...alike("batching/batch-cutter.ts", "never empty: the type checker wants it", {
    "if (first === undefined) return undefined;": { "return undefined": "" },
  }),
  ...alike("batching/failures/searches.ts", "there is no search without one: the type checker wants it", {
    "if (search === undefined) return undefined;": { "return undefined": "" },
  }),
  ...alike("batching/failures/failed-requests.ts", "never empty: the type checker wants it", {
    "if (only === undefined) return;": { return: "" },
  }),
  ...alike("batching/failures/refused-items.ts", "there are both or neither: the type checker wants it", {
    "if (array === undefined || index === undefined) return undefined;": { "||": "&&" },
    "if (item === undefined || chain === undefined) return undefined;": { "||": "&&" },
  }),
  ...alike("batching/replies/merge-results.ts", "a type", {
    "function reasonOf({ error }: Extract<Outcome<unknown>, { ok: false }>): { code: string; detail: string } {": {
      false: "true",
    },
  }),
  ...alike("batching/batch-entry.ts", "those of one part are one part the longer way, too", {
    "return users.length <= maxPartUsers(maxItems);": { "<=": "<" },
  }),
  ...alike("batching/queue/entry-queue.ts", "it is set before anybody reads it", { "since: 0,": { "0": "1" } }),
  ...alike("batching/queue/same-user-index.ts", "of one and of none the text is the same the longer way", {
    "if (users.length === 1) return users[0];": { "1": "0" },
  }),
];
