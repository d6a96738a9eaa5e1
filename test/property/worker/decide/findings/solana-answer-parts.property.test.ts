import fc from "fast-check";
import { expect, test } from "vitest";
import type { SolanaTransaction } from "../../../../../src/api/schemas/solana-emulate.ts";
import { programs } from "../../../../../src/chains/solana/programs.ts";
import { SimulationEvidence } from "../../../../../src/messages/evidence.ts";
import { simulationRule } from "../../../../../src/worker/decide/findings/solana-simulation.ts";
import { withOwnFindings } from "../../../../../src/worker/decide/solana-judge/judge.ts";
import { defaultPolicy } from "../../../../fakes/events.ts";
import { subject } from "../../../../fakes/evidence.ts";
import * as w from "../../../../fixtures/solana/world.ts";
import { type Drawn, honestSimulation, type Payment } from "../../../../support/honest-simulation.ts";
import { propertyRuns } from "../../../../support/property-runs.ts";

const { friend } = w;
const holders = [friend, w.named(90), w.named(91)];
const fresh = [w.named(95), w.named(96)];
const stranger = w.named(99);
const network: readonly string[] = Object.values(programs);

const amount = fc.bigInt({ min: 1_000_000n, max: 2_000_000n });
const payment: fc.Arbitrary<Payment> = fc.oneof(
  fc.record({ kind: fc.constant("sol" as const), to: fc.constantFrom(...holders, ...fresh), amount }),
  fc.record({ kind: fc.constant("tokens" as const), to: fc.constantFrom(...holders), amount, isChecked: fc.boolean() }),
  fc.record({ kind: fc.constant("made" as const), to: fc.constantFrom(...fresh), amount }),
);
const transaction: fc.Arbitrary<Drawn> = fc.record({
  payments: fc.array(payment, { minLength: 1, maxLength: 3 }),
  hasMemo: fc.boolean(),
  price: fc.option(fc.bigInt({ min: 1n, max: 50_000n }), { nil: undefined }),
});

/** The findings that prevent ALLOW. Empty for an answer that leaves nothing open. */
function raised(transactions: readonly SolanaTransaction[], answer: unknown): readonly string[] {
  const parsed = SimulationEvidence.safeParse(answer);
  if (!parsed.success) return ["ANSWER_INVALID"];
  const found = simulationRule(withOwnFindings(transactions, parsed.data, []), { subject, table: defaultPolicy.table });
  return (found ?? [])
    .filter(({ severity }) => severity !== "INFO")
    .map(({ finding, detail }) => `${finding}: ${detail}`);
}

type Json = null | boolean | number | string | Json[] | { [field: string]: Json };

interface Distorted {
  /** Fields and indexes from the answer down to the distorted part. */
  readonly path: readonly (string | number)[];
  readonly how: "left out" | "twice" | "emptied" | "other";
  readonly now: Json | undefined;
  readonly answer: Json;
}

function at(value: Json, path: Distorted["path"]): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => Reflect.get(Object(inner), key) as Json | undefined, value);
}

/** The answer with the part at `path` changed, and every other part unchanged. */
function changed(answer: Json, path: Distorted["path"], change: (parent: Json, key: string | number) => void): Json {
  const copy = structuredClone(answer);
  const key = path.at(-1);
  const parent = at(copy, path.slice(0, -1));
  if (key !== undefined && parent !== undefined) change(parent, key);
  return copy;
}

function others(value: Json): readonly Json[] {
  if (value === null) return ["text", "", 0];
  if (typeof value === "number") return [0, -1, 1, 7, null].filter((each) => each !== value);
  if (typeof value === "string" && /^[+-]?\d+$/.test(value)) {
    const number = BigInt(value);
    return [number * 10n, number / 10n, -number, number + 1n, number * 1_000_000n]
      .map(String)
      .filter((each) => each !== value);
  }
  if (typeof value === "string" && /^[+-]?\d+\.\d+$/.test(value)) {
    return [`-${value}`, `${value}1e3`, value.replace(".", ""), "0", "x"].filter((each) => each !== value);
  }
  if (typeof value === "string")
    return [stranger, w.otherMint, "x", `${value}1`, null].filter((each) => each !== value);
  return [null];
}

function* distortions(answer: Json, path: Distorted["path"] = []): Generator<Distorted> {
  const value = at(answer, path);
  if (value === undefined) return;
  const parent = at(answer, path.slice(0, -1));
  if (path.length > 0) {
    const out = changed(answer, path, (from, key) => {
      if (Array.isArray(from)) from.splice(Number(key), 1);
      else Reflect.deleteProperty(Object(from), key);
    });
    yield { path, how: "left out", now: undefined, answer: out };
    if (Array.isArray(parent)) {
      const twice = changed(answer, path, (from) => Array.isArray(from) && from.push(structuredClone(value)));
      yield { path, how: "twice", now: value, answer: twice };
    }
    const empty = Array.isArray(value) ? [] : typeof value === "string" ? "" : undefined;
    const set = (to: Json) => changed(answer, path, (from, key) => Reflect.set(Object(from), key, to));
    if (empty !== undefined) yield { path, how: "emptied", now: empty, answer: set(empty) };
    for (const now of others(value)) yield { path, how: "other", now, answer: set(now) };
  }
  if (typeof value !== "object" || value === null) return;
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) yield* distortions(answer, [...path, key]);
}

/** A part of the original answer, its distorted form, and the transaction of its result. */
interface Case extends Distorted {
  readonly was: Json | undefined;
  readonly drawn: Drawn | undefined;
  /** The balances that contain the part. */
  readonly balances: Json | undefined;
}

interface Part {
  readonly named: RegExp;
  readonly when: (part: Case) => boolean;
  readonly why: string;
}

const always = () => true;
const isNetwork = (address: unknown) => network.includes(String(address));

/** Whether balances of SOL show only the fee payer's fee, and rents. */
function isFeeAlone({ path, balances, drawn }: Case): boolean {
  const { token_address, change_list = [] } = Object(balances);
  const isPaid = drawn?.payments.some(({ kind }) => kind === "sol") === true;
  const isWhole = path.length === 4 || path.at(-1) === "change_list" || change_list.length === 1;
  return token_address === "native" && isWhole && !isPaid;
}

/** Whether an entry shows the rent of a new token account. */
function isRent({ was, balances, drawn }: Case): boolean {
  const isMade = drawn?.payments.some(({ kind }) => kind === "made") === true;
  return isMade && Object(balances).token_address === "native" && Object(was).end_value === "2039280";
}

/** The parts that do not affect the verdict, each with the reason. Every other part affects it. */
const withoutBearing: readonly Part[] = [
  { named: /^exec_summary\.result_description$/, when: always, why: "words for people" },
  { named: /\.(name|request_id|block_height)$/, when: always, why: "echoes, and the slot; splitAnswer compares names" },
  { named: /\.(tokenName|symbol|tokenPriceUSD|value_usd)$/, when: always, why: "the worker prices and names nothing" },
  {
    named: /\.(divisor|amount_change)$/,
    when: ({ how }) => how === "emptied",
    why: "the same amount stands there in the smallest unit",
  },
  {
    named: /\.from$/,
    when: ({ now }) => now === undefined || now === null,
    why: "results stand in the order of the transactions",
  },
  { named: /\.to$/, when: ({ how }) => how === "left out", why: "results stand in the order of the transactions" },
  {
    named: /\.involved_addresses$/,
    when: ({ how }) => how === "left out",
    why: "the interface says of whom it consists, and a risk level of each is looked for",
  },
  {
    named: /\.(involved_addresses|called_addresses|involved_addresses_risks)\.\d+$/,
    when: ({ how }) => how === "twice",
    why: "said twice is said once",
  },
  {
    named: /\.involved_addresses\.\d+$/,
    when: ({ how, was }) => how === "left out" && isNetwork(was),
    why: "the network's programs are known here",
  },
  {
    named: /\.called_addresses\.\d+$/,
    when: ({ how, was }) => how === "left out" && was === programs.computeBudget,
    why: "the compute budget has no effect of its own",
  },
  {
    named: /\.called_addresses\.\d+$/,
    when: ({ how, was, drawn }) =>
      how === "left out" &&
      (was === programs.system || was === programs.token) &&
      drawn?.payments.some(({ kind }) => kind === "made") === true,
    why: "they run inside the making of a token account, and not where it is there already",
  },
  {
    named: /\.involved_addresses_risks\.\d+(\.address)?$/,
    when: ({ was }) => isNetwork(Object(was).address ?? was),
    why: "the network's programs are known here",
  },
  {
    named: /\.risk_level$/,
    when: ({ now }) => now === 0 || now === 1 || now === -1,
    why: "0 and 1 find nothing; of which accounts -1 is no warning, tests of its own say",
  },
  {
    named: /\.compute_units_consumed$/,
    when: ({ how, now }) => how === "left out" || Number(now) > 0,
    why: "any number above 0 says that it ran, as the called programs do",
  },
  {
    named: /\.balance_changes\.\d+(\.change_list(\.\d+)?)?$/,
    when: (part) => (part.how === "left out" || part.how === "emptied") && isFeeAlone(part),
    why: "the instructions state the fee, and the rents of token accounts that are made",
  },
  {
    named: /\.change_list\.\d+$/,
    when: (part) => part.how === "left out" && isRent(part),
    why: "the payer loses the rent of a token account, and some services show no account that gets it",
  },
  {
    named: /\.token_address$/,
    when: ({ now, drawn }) =>
      (now === stranger || now === w.otherMint) &&
      drawn?.payments.every((each) => each.kind === "sol" || (each.kind === "tokens" && !each.isChecked)) === true,
    why: "a transfer of the older form states no token, so any token is what it sends",
  },
];

function isWithoutBearing(answer: Json, distorted: Distorted, drawn: readonly Drawn[]): boolean {
  const { path } = distorted;
  const places = { was: at(answer, path), balances: at(answer, path.slice(0, 4)), drawn: drawn[Number(path[1])] };
  return withoutBearing.some(({ named, when }) => named.test(path.join(".")) && when({ ...distorted, ...places }));
}

test("an honest answer is ALLOW, and with any one part removed or distorted it is not, unless the part has no effect", () => {
  fc.assert(
    fc.property(fc.array(transaction, { minLength: 1, maxLength: 2 }), (drawn) => {
      const { transactions, answer } = honestSimulation(drawn, holders);
      expect(raised(transactions, answer)).toEqual([]);
      const allowed = [...distortions(answer as unknown as Json)]
        .filter((each) => raised(transactions, each.answer).length === 0)
        .filter((each) => !isWithoutBearing(answer as unknown as Json, each, drawn))
        .map(({ path, how, now }) => `${path.join(".")} ${how} ${JSON.stringify(now)}`);
      expect(allowed).toEqual([]);
    }),
    propertyRuns(15),
  );
});
