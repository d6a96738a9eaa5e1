import { FakeClock } from "./fake-clock.ts";

/** Time that moves only when somebody sleeps, while the rest of the world acts. */
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
