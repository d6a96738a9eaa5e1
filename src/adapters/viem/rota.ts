/** How one endpoint of a chain fares. Times are monotonic milliseconds. */
interface Standing {
  failures: number;
  /** Until then it is asked only when no other is left. */
  restsUntil: number;
  /** When it last told the right chain id. */
  checkedAt: number | undefined;
}

/** Which endpoint is asked next. No clock of its own: `now` is monotonic milliseconds. */
export interface Rota<E> {
  /** All of them, in the order in which to ask: those that work as configured, then those that rest, soonest first. */
  order(now: number): readonly E[];
  /** Whether `endpoint` has to say which chain it is of, together with the next answer. */
  mustTellChain(endpoint: E, now: number): boolean;
  toldChain(endpoint: E, now: number): void;
  worked(endpoint: E): void;
  /** It rests for `restMs`, or for longer each time when nobody says how long. */
  failed(endpoint: E, now: number, restMs?: number): void;
}

/** First rest after a failure, doubled with each further one, and the longest. Chosen. */
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;
/** How long an endpoint is believed to be of its chain: behind one URL there may be another node tomorrow. Chosen. */
const CHECK_EVERY_MS = 60_000;

/** A rota over the endpoints of one chain, all of them fresh. */
export function createRota<E>(endpoints: readonly E[]): Rota<E> {
  const standings = new Map<E, Standing>(
    endpoints.map((endpoint) => [endpoint, { failures: 0, restsUntil: 0, checkedAt: undefined }]),
  );
  const of = (endpoint: E): Standing => {
    const standing = standings.get(endpoint);
    if (standing === undefined) throw new Error("an endpoint of another chain");
    return standing;
  };
  return {
    order(now) {
      const rests = (endpoint: E) => Math.max(0, of(endpoint).restsUntil - now);
      return [...endpoints].sort((a, b) => rests(a) - rests(b));
    },
    mustTellChain(endpoint, now) {
      const { checkedAt } = of(endpoint);
      return checkedAt === undefined || now - checkedAt >= CHECK_EVERY_MS;
    },
    toldChain(endpoint, now) {
      of(endpoint).checkedAt = now;
    },
    worked(endpoint) {
      Object.assign(of(endpoint), { failures: 0, restsUntil: 0 });
    },
    failed(endpoint, now, restMs) {
      const standing = of(endpoint);
      standing.failures++;
      standing.checkedAt = undefined;
      const rest = restMs ?? Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (standing.failures - 1));
      standing.restsUntil = now + rest;
    },
  };
}
