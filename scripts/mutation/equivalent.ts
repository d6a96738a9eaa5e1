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
const WITHIN = "const isWithin = (a: Shape, b: Shape) => a.prefix <= b.prefix && a.suffix <= b.suffix;";
const FIRSTS =
  "for (let i = 0; i < constantPrefix + prefix; i++) ends = ends * base + (rank[address.charCodeAt(i)] ?? 0);";
const LASTS = "ends = ends * base + (rank[address.charCodeAt(i)] ?? 0);";
const BEHIND = "for (let i = address.length - suffix; i < address.length; i++)";
const BASE = "const base = bitsPerCharacter === 4 ? 16 : bitsPerCharacter === 5 ? 36 : 62;";
const LOOSEST = "shapes.every((other, j) => i === j || !isWithin(other, shape) || (isWithin(shape, other) && i < j)),";
const ALIKE = "return newcomers > 1 && this.#areAlike(users) ? undefined : growth;";
const WAS_OFF = "return this.#offUntil > 0 && this.#clock.ticks() < this.#offUntil;";
const LOWEST = "if (waiting.since < waitedSince) waitedSince = waiting.since;";
const STRANGER = "if (at === undefined) this.#strangers.set(chain.id, parsed.value, true);";
const REPEATED = "if (this.#repeated.size > 0 && this.#repeated.has(place))";
const UNPROVED = 'const isUnproved = mute.size > 0 && evidence.includes("unproved");';
const TURN = "const isTurnOfAlone = alone && (!pooled || ++this.#turns % 2 !== 0);";
const EITHER = "if (array === undefined || index === undefined) return undefined;";
const ABSENT = "if (item === undefined || chain === undefined) return undefined;";
const REASON =
  "function reasonOf({ error }: Extract<Outcome<unknown>, { ok: false }>): { code: string; detail: string } {";
const RANKS = "const rank = Uint8Array.from({ length: 128 }, (_, code) =>";
const SPELLED = "return asked !== undefined && item.address === asked.address && item.chain_id === asked.chain_id;";
const HEARD = 'let canaries: Heard["canaries"] = places.length > 0 ? "sang" : "silent";';
const ONE_PART = "return users.length <= MAX_PART_USERS;";
const FOUND = 'const isAnswer = found !== undefined && found !== "unproved" && !(found instanceof AppError);';
const FEW = "return reasons.length <= MAX_REASONS;";
const LITTLE = "for (const { detail } of reasons) if (detail.length > room) return false;";

const BEGUN = "const start = Math.max(this.#now, this.#idle.get(key) ?? 0);";
const VISITED = "this.#visits.push({ flow, items: flow.items.keys(), at: start, cost: 0, start });";
const IN_ORDER =
  "readonly #visits = new Heap<Visit<K, T>>((a, b) => a.at < b.at || (a.at === b.at && a.flow.order < b.flow.order));";
const OPENING = "#opening: Opening = { at: Number.NEGATIVE_INFINITY, unsureMs: 0, taken: 0 };";
const OPENED = "const opening = { at: at - unsureMs / 2, unsureMs, taken: this.#taken - 1 };";
const STATED = "#stated = { at: Number.NEGATIVE_INFINITY, demand: 0, refusals: 0 };";
const SHARE = "if (share === this.#perSecond || (share > this.#perSecond && share < NEWS * this.#perSecond)) return;";
const SLOT = "slots.pace(share > 0 ? Math.min(CLOSED_MS, 1_000 / share) : CLOSED_MS);";
const BY_NAME = "const everyone = [...this.#members.values()].toSorted((a, b) => (a.member < b.member ? -1 : 1));";
const EAGER = "const eager = [...demands.keys()].filter((i) => (more[i]?.demand ?? 0) >= (shares[i] ?? 0));";
const DOUBLED = "this.#rate = 2 * this.#rate < UNPACED ? 2 * this.#rate : Number.POSITIVE_INFINITY;";
const GROWN = "if (isNews || this.#growth < ENOUGH_GROWTH) this.#growth *= MORE_GROWTH;";

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
    ["if (this.#events.size >= BREAKER_FAILURES) break;", "if (this.#events.size > BREAKER_FAILURES) break;"],
  ]),
  ...alike("src/worker/pace/fair-line.ts", "only differences count, and all begin where it stands", [
    ["#now = 0;", "#now = 1;"],
    ["#orders = 0;", "#orders = 1;"],
    ["#pushed = 0;", "#pushed = 1;"],
    ["this.#now = 0;", "this.#now = 1;"],
    ["this.#now = 0;", ";"],
    [BEGUN, BEGUN.replace("?? 0", "?? 1")],
  ]),
  ...alike("src/worker/pace/fair-line.ts", "it has its cost before anything is made of that", [
    [VISITED, VISITED.replace("cost: 0", "cost: 1")],
  ]),
  ...alike("src/worker/pace/fair-line.ts", "no two have one number", [
    [IN_ORDER, IN_ORDER.replace("order <", "order <=")],
    ["if (number === undefined || number > least) continue;", "if (number === undefined || number >= least) continue;"],
  ]),
  ...alike("src/worker/pace/breaker.ts", "a probe that has ended is none: it fails once only", [["return;", ";"]]),
  ...alike("src/worker/pace/demand-meter.ts", "only differences count", [
    ["#sent = 0;", "#sent = 1;"],
    ["#busyMs = 0;", "#busyMs = 1;"],
  ]),
  ...alike("src/worker/pace/rate-learner.ts", "only differences count, and before the first opening none do", [
    [OPENING, OPENING.replace("unsureMs: 0", "unsureMs: 1")],
    [OPENING, OPENING.replace("taken: 0", "taken: 1")],
    [OPENED, OPENED.replace("- 1", "+ 1")],
    [OPENED, OPENED.replace("- 1", "- 0")],
  ]),
  ...alike("src/worker/pace/rate-learner.ts", "the first 429 says it anew", [["#isTold = false;", "#isTold = true;"]]),
  ...alike("src/worker/pace/used-up.ts", "the constructor sets it", [["#nextAt = 0;", "#nextAt = 1;"]]),
  ...alike("src/worker/pace/headroom.ts", "a trial begins at 0 or at 2", [
    ["this.#needed = level > 0 ? first / LONGER : first;", "this.#needed = level > 1 ? first / LONGER : first;"],
  ]),
  ...alike("src/worker/pace/rate-phases.ts", "never true: the type checker wants it", [
    ['if (this.#phase.is !== "measuring") return;', 'if (this.#phase.is !== "measuring") ;'],
  ]),
  ...alike("src/worker/pace/quota-member.ts", "the first statement is due whatever was stated before", [
    [STATED, STATED.replace("demand: 0", "demand: 1")],
    [STATED, STATED.replace("refusals: 0", "refusals: 1")],
  ]),
  ...alike("src/worker/pace/quota-member.ts", "an equal share is told of before; nothing comes of none either way", [
    [SHARE, SHARE.replace("share >", "share >=")],
    [SLOT, SLOT.replace("share >", "share >=")],
  ]),
  ...alike("src/worker/pace/shared-quota.ts", "no two have one name", [[BY_NAME, BY_NAME.replace("<", "<=")]]),
  ...alike("src/worker/pace/shared-quota.ts", "never undefined: the type checker wants it", [
    [
      "return (1_000 * (shares[everyone.indexOf(own)] ?? 0)) / span;",
      "return (1_000 * (shares[everyone.indexOf(own)] ?? 1)) / span;",
    ],
  ]),
  ...alike("src/worker/pace/whole-shares.ts", "never undefined: the type checker wants it", [
    [EAGER, EAGER.replace("demand ?? 0", "demand ?? 1")],
    [EAGER, EAGER.replace("shares[i] ?? 0", "shares[i] ?? 1")],
    [
      "const i = eager[(turn * left + k) % eager.length] ?? 0;",
      "const i = eager[(turn * left + k) % eager.length] ?? 1;",
    ],
    ["shares[i] = (shares[i] ?? 0) + 1;", "shares[i] = (shares[i] ?? 1) + 1;"],
  ]),
  ...alike("src/worker/pace/max-min.ts", "each is set to its share", [
    ["const shares = demands.map(() => 0);", "const shares = demands.map(() => 1);"],
  ]),
  ...alike("src/worker/pace/refusals.ts", "the first one begins the count anew, or finds none", [
    ["#count = 0;", "#count = 1;"],
    ["#keys = -1;", "#keys = -0;"],
  ]),
  ...alike("src/worker/pace/search.ts", "ten, doubled, goes from 320 to 640", [
    ["const UNPACED = 400;", "const UNPACED = 401;"],
    [DOUBLED, DOUBLED.replace("<", "<=")],
  ]),
  ...alike("src/worker/pace/probe.ts", "a twentieth, times three, goes from 0.45 to 1.35", [
    [GROWN, GROWN.replace("<", "<=")],
  ]),
  ...alike(
    "src/worker/poisoning-pool/alike-users.ts",
    "a stricter shape that is kept finds nobody whom the looser one does not",
    [
      [WITHIN, WITHIN.replace("prefix <=", "prefix <")],
      [WITHIN, WITHIN.replace("suffix <=", "suffix <")],
      [LOOSEST, LOOSEST.replace("i < j", "i <= j")],
      [LOOSEST, LOOSEST.replace("every", "some")],
      [LOOSEST, LOOSEST.replace("&& i < j", "|| i < j")],
    ],
  ),
  ...alike("src/worker/poisoning-pool/alike-users.ts", "other numbers, as different for addresses that are", [
    ["let ends = 0;", "let ends = 1;"],
    [FIRSTS, FIRSTS.replace("base +", "base -")],
    [LASTS, LASTS.replace("base +", "base -")],
    [BEHIND, BEHIND.replace("i < address", "i <= address")],
    [BASE, BASE.replace("16", "17")],
    [BASE, BASE.replace("36", "37")],
    [BASE, BASE.replace("62", "63")],
  ]),
  ...alike(
    "src/worker/poisoning-pool/alike-users.ts",
    "an address is of letters and digits: the type checker wants it",
    [
      [FIRSTS, FIRSTS.replace("?? 0", "?? 1")],
      [LASTS, LASTS.replace("?? 0", "?? 1")],
    ],
  ),
  ...alike(
    "src/worker/poisoning-pool/answered-items.ts",
    "there is no place that is none: nobody finds what is noted for it",
    [["if (at === undefined) return;", "if (at === undefined) ;"]],
  ),
  ...alike("src/worker/poisoning-pool/answered-items.ts", "of a set only the names are read", [
    ["readonly #strangers = new ItemMap<true>();", "readonly #strangers = new ItemMap<false>();"],
    [STRANGER, STRANGER.replace("true", "false")],
  ]),
  ...alike("src/worker/poisoning-pool/distinct-items.ts", "of a set only the names are read", [
    ...["#users", "#targets", "#tokens"].map((name): Lines => {
      const line = `readonly ${name} = new ItemMap<true>();`;
      return [line, line.replace("true", "false")];
    }),
    ...[
      "for (const user of users) this.#users.set(chain.id, user, true);",
      "this.#targets.set(chain.id, target, true);",
      "if (token !== undefined) this.#tokens.set(chain.id, token, true);",
    ].map((line): Lines => [line, line.replace("true", "false")]),
  ]),
  ...alike("src/worker/poisoning-pool/answered-items.ts", "only saves a look into a set that is empty", [
    [REPEATED, REPEATED.replace(">", ">=")],
  ]),
  ...alike("src/worker/poisoning-pool/ask-pooled.ts", "nothing is unproved where no canary is mute", [
    [UNPROVED, UNPROVED.replace(">", ">=")],
  ]),
  ...alike("src/worker/poisoning-pool/pooling-switch.ts", "only saves a look at the clock", [
    [WAS_OFF, WAS_OFF.replace("> 0", ">= 0")],
    [WAS_OFF, WAS_OFF.replace("> 0", "> 1")],
  ]),
  ...alike("src/worker/poisoning-pool/keep-apart.ts", "one newcomer was compared with all who are there", [
    [ALIKE, ALIKE.replace("> 1", "> 0")],
    [ALIKE, ALIKE.replace("> 1", ">= 1")],
    ["let newcomers = 0;", "let newcomers = 1;"],
  ]),
  ...alike("src/worker/poisoning-pool/keep-apart.ts", "undefined is as good as false", [["return false;", ";"]]),
  ...alike("src/worker/poisoning-pool/calibrator.ts", "undefined either way", [["return undefined;", ";"]]),
  ...alike("src/worker/poisoning-pool/pool.ts", "undefined either way", [["return undefined;", ";", 1]]),
  ...alike("src/worker/poisoning-pool/pool.ts", "the same time twice", [[LOWEST, LOWEST.replace("<", "<=")]]),
  ...alike("src/worker/poisoning-pool/linger.ts", "it wakes who is awake already", [["this.#look = undefined;", ";"]]),
  ...alike("src/worker/poisoning-pool/queues.ts", "one and the other in turn, whichever way they are counted", [
    [TURN, TURN.replace("++", "--")],
  ]),
  ...alike("src/worker/poisoning-pool/queues.ts", "never empty: the type checker wants it", [
    ["if (first === undefined) return undefined;", "if (first === undefined) ;"],
  ]),
  ...alike("src/worker/poisoning-pool/queues.ts", "there is no search without one: the type checker wants it", [
    ["if (search === undefined) return undefined;", "if (search === undefined) ;"],
  ]),
  ...alike("src/worker/poisoning-pool/failed-requests.ts", "never empty: the type checker wants it", [
    ["if (only === undefined) return;", "if (only === undefined) ;"],
  ]),
  ...alike("src/worker/poisoning-pool/refused-items.ts", "there are both or neither: the type checker wants it", [
    [EITHER, EITHER.replace("||", "&&")],
    [ABSENT, ABSENT.replace("||", "&&")],
  ]),
  ...alike("src/worker/poisoning-pool/unite.ts", "a type", [[REASON, REASON.replace("false", "true")]]),
  ...alike("src/worker/poisoning-pool/linger.ts", "undefined is as good as 0", [
    ["if (this.#hasEnough(queue)) return 0;", "if (this.#hasEnough(queue)) return undefined;"],
  ]),
  ...alike("src/worker/poisoning-pool/alike-users.ts", "an address is of letters and digits", [
    [RANKS, RANKS.replace("128", "129")],
  ]),
  ...alike("src/worker/poisoning-pool/answered-items.ts", "it goes the longer way, which finds the same", [
    [SPELLED, "return undefined;"],
  ]),
  ...alike("src/worker/poisoning-pool/ask-pooled.ts", "there are three on each chain, or none", [
    [HEARD, HEARD.replace("> 0", "> 1")],
  ]),
  ...alike("src/worker/poisoning-pool/part.ts", "those of one part are one part the longer way, too", [
    [ONE_PART, ONE_PART.replace("<=", "<")],
  ]),
  ...alike("src/worker/poisoning-pool/companions.ts", "of one and of none the text is the same the longer way", [
    ["if (users.length === 1) return users[0];", "if (users.length === 0) return users[0];"],
  ]),
  ...alike("src/worker/poisoning-pool/pool.ts", "it is looked at before: the type checker wants it", [
    [FOUND, FOUND.replace('"unproved"', '""')],
  ]),
];
