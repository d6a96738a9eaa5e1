import { failureBody } from "../../src/api/failures.ts";
import type { Dice } from "./scenario.ts";
import { jsonWire, type Wire } from "./wire.ts";

type Members = Record<string, unknown>;

const MEBIBYTE = Buffer.alloc(1024 * 1024, " ");
const MANY = Buffer.from(`,"extra":[${Array(200_000).fill(0).join()}]}`);
const DEPTH = 40;
const page = Buffer.from("<html><body><h1>502 Bad Gateway</h1></body></html>");
/** Neither a flag nor a text, for a field of either type. */
const wrong = [2, 1, 0, null, true, [], {}];
const flag = /^(?:is_|mimics_|hidden_owner$|self_destruct$|dev_malicious$|unlimited_mintable$|transfer_)/;

/**
 * Damages of a good answer on its way. All but the last can be recognized. A flipped bit may leave a valid answer with
 * another meaning.
 */
const kinds = {
  "500 with a reason": () => jsonWire(500, failureBody("internal")),
  "500 with an answer": (answer) => ({ ...answer, status: 500 }),
  "502 with a page": () => ({ status: 502, headers: { "content-type": "text/html" }, body: [page] }),
  "503 with nothing": () => ({ status: 503, headers: {}, body: [] }),
  "404 with a page": () => ({ status: 404, headers: { "content-type": "text/html" }, body: [page] }),
  "a redirect": (_, dice) => ({
    status: dice.pick([301, 302, 303, 307, 308]),
    headers: { location: "https://portal.example/login", "content-type": "text/html" },
    body: [page],
  }),
  "a page in place of an answer": () => ({ status: 200, headers: { "content-type": "text/html" }, body: [page] }),
  "an answer that is no JSON by its type": (answer) => ({ ...answer, headers: { "content-type": "text/plain" } }),
  "an answer that claims to be packed": (answer) => ({
    ...answer,
    headers: { ...answer.headers, "content-encoding": "gzip" },
  }),
  "a body that is cut off": (answer, dice) => ({ ...answer, body: [beginningOf(answer, dice)] }),
  "a connection that is cut off": (answer, dice) => ({ ...answer, body: [beginningOf(answer, dice)], isCut: true }),
  "a body without end": (answer) => ({ ...answer, body: [...answer.body, ...Array(11).fill(MEBIBYTE)] }),
  "a body of too many values": (answer) => ({ ...answer, body: [Buffer.concat(answer.body).subarray(0, -1), MANY] }),
  "a body too deep": (answer) =>
    changed(answer, (value) => ({ ...value, extra: JSON.parse("[".repeat(DEPTH) + "]".repeat(DEPTH)) })),
  "an envelope of a failure": (answer, dice) =>
    changed(answer, (value) => ({ ...value, ...dice.pick([{ code: "-2" }, { code: 0 }, { status: "error" }]) })),
  "an envelope without data": (answer, dice) =>
    changed(answer, ({ data: _, ...value }) => ({ ...value, ...dice.pick([{}, { data: null }, { data: [] }]) })),
  "an error beside the data": (answer) => changed(answer, (value) => ({ ...value, error: { code: "-2" } })),
  "flags that are no flags": (answer, dice) =>
    withWrong(answer, dice, (name, value) => flag.test(name) && isText(value), "2"),
  "numbers in place of text": (answer, dice) =>
    withWrong(answer, dice, (name, value) => /^(?:chain_id|address|.*_input)$/.test(name) && isText(value)),
  "a key that is given twice": (answer, dice) => {
    const text = Buffer.concat(answer.body).toString();
    const { 0: member, 1: name, index } = dice.pick([...text.matchAll(/("\w+"):"[^"\\]*"/g)]);
    const end = index + member.length;
    const again = `,${name}:"${dice.pick(["0", "1"])}"`;
    return { ...answer, body: [Buffer.from(`${text.slice(0, end)}${again}${text.slice(end)}`)] };
  },
  "a flipped bit": (answer, dice) => ({ ...answer, body: [flipped(Buffer.concat(answer.body), dice)] }),
} satisfies Readonly<Record<string, (answer: Wire, dice: Dice) => Wire>>;

export type GarbageKind = keyof typeof kinds;
export const garbageKinds = Object.keys(kinds) as readonly GarbageKind[];

export function spoilt(kind: GarbageKind, answer: Wire, dice: Dice): Wire {
  const spoil: (answer: Wire, dice: Dice) => Wire = kinds[kind];
  return spoil(answer, dice);
}

function beginningOf({ body }: Wire, dice: Dice): Buffer {
  const whole = Buffer.concat(body);
  return whole.subarray(0, dice.int(0, whole.length - 1));
}

/** Flips a bit, often the lowest bit of a digit. A '0' becomes a '1' then, and the answer may still be valid. */
function flipped(body: Buffer, dice: Dice): Buffer {
  const digits = [...body.keys()].filter((at) => isDigit(body[at] ?? 0));
  const [at, bit] = dice.chance(0.5) ? [dice.pick(digits), 0] : [dice.int(0, body.length - 1), dice.int(0, 7)];
  body[at] = (body[at] ?? 0) ^ (1 << bit);
  return body;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function changed(answer: Wire, change: (value: Members) => Members): Wire {
  return jsonWire(answer.status, change(JSON.parse(Buffer.concat(answer.body).toString())));
}

/** Replaces one of the chosen members by a wrong value, or removes it. */
function withWrong(
  answer: Wire,
  dice: Dice,
  isChosen: (name: string, value: unknown) => boolean,
  ...more: readonly unknown[]
): Wire {
  return changed(answer, (value) => {
    const found = membersOf(value).filter(([name, , member]) => isChosen(name, member));
    // An analysis in progress has no such member, so its status is changed.
    if (found.length === 0) return { ...value, status: "error" };
    const [name, object] = dice.pick(found);
    if (dice.chance(0.2)) delete object[name];
    else object[name] = dice.pick([...wrong, ...more]);
    return value;
  });
}

function membersOf(value: unknown): readonly (readonly [name: string, object: Members, value: unknown])[] {
  if (typeof value !== "object" || value === null) return [];
  const object = value as Members;
  return Object.entries(object).flatMap(([name, member]) => [[name, object, member] as const, ...membersOf(member)]);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
