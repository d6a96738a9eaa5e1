import type { ResponseOf, RouteName, SentTo } from "../../src/api/routes.ts";
import type { SecurityService } from "../../src/worker/ports.ts";

/** Gives the answer to one request, or throws what the service failed with. `nth` counts the route's calls from 1. */
type Answer<N extends RouteName> = (
  request: SentTo<N>,
  nth: number,
  signal: AbortSignal,
) => ResponseOf<N> | Promise<ResponseOf<N>>;

/** A service whose answers are set per route. Every request is recorded; a route without an answer is a test's mistake. */
export class FakeService implements SecurityService {
  readonly requests: { readonly route: RouteName; readonly request: unknown }[] = [];
  readonly #answers = new Map<RouteName, Answer<never>>();
  /** Counted, since tests send ten thousand. */
  readonly #calls = new Map<RouteName, number>();

  on<N extends RouteName>(route: N, answer: Answer<N>): this {
    this.#answers.set(route, answer as Answer<never>);
    return this;
  }

  /** What was sent to `route`, in order. */
  sentTo(route: RouteName): readonly unknown[] {
    return this.requests.filter((each) => each.route === route).map(({ request }) => request);
  }

  async ask<N extends RouteName>(route: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
    this.requests.push({ route, request });
    const nth = (this.#calls.get(route) ?? 0) + 1;
    this.#calls.set(route, nth);
    const answer = this.#answers.get(route) as Answer<N> | undefined;
    if (answer === undefined) throw new Error(`the test gave no answer for ${route}`);
    return answer(request, nth, signal);
  }
}
