import { Secret } from "../../src/kernel/secret.ts";
import type { KeySource } from "../../src/worker/ports.ts";
import type { Dice } from "./scenario.ts";
import type { Life } from "./virtual-clock.ts";

/** The file that holds the key. Each process knows its contents at the last look. */
export class KeyFile {
  text = "key-0";
  readonly #dice: Dice;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  open(life: Life): KeySource {
    let key = this.text;
    // Each request reads the secret, and to make one costs a hash.
    let secret = new Secret(key);
    return {
      current: () => secret,
      reload: async () => {
        await life.wait(this.#dice.between(0, 5));
        const isAnother = key !== this.text;
        key = this.text;
        if (isAnother) secret = new Secret(key);
        return isAnother;
      },
    };
  }
}
