import { FakeClock } from "./fake-clock.ts";

/** A clock that advances only during a sleep, while the test acts. */
export class ActingClock extends FakeClock {
  readonly #act: (ms: number, signal?: AbortSignal) => Promise<void>;

  constructor(act: (ms: number, signal?: AbortSignal) => Promise<void>) {
    super();
    this.#act = act;
  }

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await super.sleep(ms, signal);
    await this.#act(ms, signal);
  }
}
