import type { ResponseOf, RouteName, SentTo } from "../../src/api/routes.ts";
import type { SecurityService } from "../../src/worker/ports.ts";

/** Returns the answer to one request, or throws the failure of the service. `nth` counts the route's calls from 1. */
type Answer<N extends RouteName> = (
  request: SentTo<N>,
  nth: number,
  signal: AbortSignal,
) => ResponseOf<N> | Promise<ResponseOf<N>>;

/**
 * A service with an answer for each route. Every request is recorded. A route without an answer is a bug of the test.
 */
export class FakeService implements SecurityService {
  readonly requests: { readonly route: RouteName; readonly request: unknown }[] = [];
  readonly #answers = new Map<RouteName, Answer<never>>();
  /** A counter, since tests send ten thousand requests. */
  readonly #calls = new Map<RouteName, number>();

  on<N extends RouteName>(route: N, answer: Answer<N>): this {
    this.#answers.set(route, answer as Answer<never>);
    return this;
  }

  /** The requests to `route`, in order. */
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
