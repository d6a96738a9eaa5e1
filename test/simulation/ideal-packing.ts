import { MAX_BATCH_ITEMS } from "../../src/api/schemas/address-poisoning.ts";
import { CANARY_ITEMS } from "../../src/worker/batching/canary.ts";
import { type Backfill, Window } from "./packing-run.ts";

interface Waiting {
  readonly target: string;
  readonly settle: () => void;
}

/**
 * The number of requests of an ideal planner for a backfill. Before each request it sees all events in flight and may
 * take them in any order. It prefers the user with the most waiting events, because a user is sent once per request. It
 * sends canaries too, because a request without canaries proves nothing. Every answer comes before the next request.
 */
export function idealRequests(backfill: Backfill): number {
  const window = new Window(backfill);
  const waiting = new Map<string, { readonly chain: string; readonly events: Waiting[] }>();
  for (let requests = 0; ; requests++) {
    for (let next = window.next(); next !== undefined; next = window.next()) {
      const { question, settle } = next;
      if (!("target" in question)) throw new Error("not a question about one address");
      const { chain, target, users } = question;
      const key = `${chain.id}|${users.join("|")}`;
      const same = waiting.get(key) ?? { chain: chain.id, events: [] };
      waiting.set(key, same);
      same.events.push({ target, settle });
    }
    if (waiting.size === 0) return requests;
    for (const { settle } of best(waiting)) settle();
  }
}

/** Removes the fullest possible request from the waiting events, of one chain or of all. */
function best(waiting: Map<string, { readonly chain: string; readonly events: Waiting[] }>): readonly Waiting[] {
  const groups = [...waiting].toSorted(([, a], [, b]) => b.events.length - a.events.length);
  const chains = new Set(groups.map(([, { chain }]) => chain));
  const plans = [undefined, ...chains].map((only) =>
    packed(groups.filter(([, { chain }]) => (only ?? chain) === chain)),
  );
  const [fullest = []] = plans.toSorted((a, b) => countIn(b) - countIn(a));
  return fullest.flatMap(({ key, events }) => {
    const all = waiting.get(key)?.events ?? [];
    if (all.length === events) waiting.delete(key);
    return all.splice(0, events);
  });
}

interface Taken {
  readonly key: string;
  readonly events: number;
}

function packed(
  groups: readonly (readonly [string, { readonly chain: string; readonly events: Waiting[] }])[],
): Taken[] {
  const chains = new Set<string>();
  const taken: Taken[] = [];
  let places = MAX_BATCH_ITEMS;
  for (const [key, { chain, events }] of groups) {
    const room = places - 1 - (chains.has(chain) ? 0 : CANARY_ITEMS);
    if (room < 1) continue;
    const count = Math.min(room, events.length);
    places = room - count;
    chains.add(chain);
    taken.push({ key, events: count });
  }
  return taken;
}

function countIn(taken: readonly Taken[]): number {
  return taken.reduce((sum, { events }) => sum + events, 0);
}
