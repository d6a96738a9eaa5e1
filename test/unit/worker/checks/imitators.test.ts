import { expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { families } from "../../../../src/chains/chain.ts";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import type { PoisoningEvidence } from "../../../../src/messages/evidence.ts";
import { NOT_SENT, type Outcome } from "../../../../src/worker/answers/outcome.ts";
import { AnswerInvalidError } from "../../../../src/worker/answers/service-errors.ts";
import { withImitator, withImitators } from "../../../../src/worker/checks/imitators.ts";
import { randomAddress } from "../../../support/random-addresses.ts";

const clean = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" } as const;
const ok = (value: PoisoningEvidence): Outcome<PoisoningEvidence> => ({ ok: true, value, trace: NOT_SENT });
const random = seededRandom(7);

/** An address with the ends of `address` and the middle of another. */
function imitationOf(address: CanonicalAddress, other: CanonicalAddress): CanonicalAddress {
  return `${address.slice(0, 12)}${other.slice(12, address.length - 8)}${address.slice(-8)}` as CanonicalAddress;
}

test.each(families)("a target of %s that imitates a user is reported, whatever the service says", (family) => {
  for (let i = 0; i < 200; i++) {
    const [first, user] = [randomAddress(family, random), randomAddress(family, random)];
    const target = imitationOf(user, randomAddress(family, random));
    if (target === user || target.length !== user.length) continue;
    const answered = ok({ target: clean });

    expect(withImitator(answered, family, target, [first, user])).toEqual(
      ok({ target: clean, imitators: [{ target, user }] }),
    );
    expect(withImitator(answered, family, target, [first])).toBe(answered);
    expect(withImitators(answered, family, [first, target], [first, user, target])).toEqual(
      ok({ target: clean, imitators: [{ target, user, is_user: true }] }),
    );
  }
});

test("an answer that flags the target, or that failed, is unchanged", () => {
  const user = randomAddress("evm", random);
  const target = imitationOf(user, randomAddress("evm", random));
  const flagged = ok({ target: { ...clean, mimics_user: "1" } });
  const failed: Outcome<PoisoningEvidence> = { ok: false, error: new AnswerInvalidError("none"), trace: NOT_SENT };

  expect(withImitator(flagged, "evm", target, [user])).toBe(flagged);
  expect(withImitator(failed, "evm", target, [user])).toBe(failed);
});
