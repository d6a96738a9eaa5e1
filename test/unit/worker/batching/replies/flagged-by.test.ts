import { describe, expect, test } from "vitest";
import { flaggedBy, haveSameFlags } from "../../../../../src/worker/batching/replies/flagged-by.ts";
import { numbers } from "../../../../support/numbers.ts";
import {
  addressOf,
  calibrated,
  evm,
  evmAlike,
  evmCanary,
  type PartFields,
  partAbout,
} from "../../../../support/poisoning-parts.ts";

const imitating = { is_poisoning: "1", mimics_user: "1", mimics_exchange: "0" } as const;
const listed = { is_poisoning: "1", mimics_user: "0", mimics_exchange: "0" } as const;
const both = { areNamed: true, arePoisoning: true };
const by = (fields: PartFields, target: typeof imitating | typeof listed, imitators = both, token?: object) =>
  flaggedBy(partAbout(fields), { target, ...token }, imitators, calibrated);

describe("an imitation of the event's own user", () => {
  test("the worker's own rule finds an imitation of the event's own user, and no imitation of other users", () => {
    expect(by({ target: evmAlike(20), users: [evm(20)] }, imitating)).toBe("own-user");
    expect(by({ target: evmAlike(20), users: [evm(1), evm(20)] }, imitating)).toBe("own-user");
    expect(by({ target: evmAlike(20), users: [evm(21)] }, imitating)).toBe("unknown");
    expect(by({ target: evmAlike(20) }, imitating)).toBe("unknown");
  });

  test("the imitation must be as close as a pair that the service flags alone", () => {
    const loose = addressOf(`0x${evm(20).slice(2, 4)}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa${evm(20).slice(-6)}`);

    expect(by({ target: loose, users: [evm(20)] }, imitating)).toBe("unknown");
  });

  test("the flags must equal the flags of the canaries", () => {
    const part = { target: evmAlike(20), users: [evm(20)] };
    const exchange = { ...imitating, mimics_exchange: "1" } as unknown as typeof imitating;
    const quiet = { ...imitating, is_poisoning: "0" } as unknown as typeof imitating;
    const flags = { is_poisoning: "0", mimics_top_token: "0", matched_token: "" } as const;

    expect(by(part, exchange)).toBe("unknown");
    expect(by(part, quiet)).toBe("unknown");
    expect(by(part, imitating, { areNamed: true, arePoisoning: false })).toBe("unknown");
    expect(by(part, quiet, { areNamed: true, arePoisoning: false })).toBe("own-user");
    expect(by(part, imitating, both, { token: flags })).toBe("own-user");
    expect(by(part, imitating, both, { token: { ...flags, is_poisoning: "1" } })).toBe("unknown");
    expect(by(part, imitating, both, { token: { ...flags, mimics_top_token: "1" } })).toBe("unknown");
  });

  test("the rule does not apply with similar users, with many users, or to a target that is a user itself", () => {
    const target = evmAlike(20);
    const others = numbers(8).map((i) => evm(100 + i));

    expect(by({ target, users: [evm(20), ...others.slice(1)] }, imitating)).toBe("own-user");
    expect(by({ target, users: [evm(20), ...others] }, imitating)).toBe("unknown");
    expect(by({ target, users: [evm(20), evm(30), evmAlike(30)] }, imitating)).toBe("unknown");
    expect(by({ target, users: [evm(20), target] }, imitating)).toBe("unknown");
    expect(by({ target, users: [evm(20), evm(5)], token: evm(5) }, imitating)).toBe("unknown");
  });
});

describe("a target that imitates no user", () => {
  test("such a target is flagged by itself, unless it resembles a canary's user or is a user itself", () => {
    const canary = addressOf(evmCanary?.target ?? "");

    expect(by({ target: evm(1), users: [evm(20)] }, listed)).toBe("itself");
    expect(by({ target: evm(1) }, listed)).toBe("itself");
    expect(by({ target: canary, users: [evm(20)] }, listed)).toBe("unknown");
    expect(by({ target: evm(1), token: canary, users: [evm(20)] }, listed)).toBe("unknown");
    expect(by({ target: evm(1), users: [evm(1)] }, listed)).toBe("unknown");
  });
});

test("two answers have the same flags whatever their other fields are", () => {
  const token = { is_poisoning: "0", mimics_top_token: "1", matched_token: "USDT" } as const;

  expect(haveSameFlags({ target: listed }, { target: { ...listed, more: 1 } })).toBe(true);
  expect(haveSameFlags({ target: listed }, { target: imitating })).toBe(false);
  expect(haveSameFlags({ target: listed }, { target: { ...listed, is_poisoning: "0" } })).toBe(false);
  expect(haveSameFlags({ target: listed }, { target: { ...listed, mimics_exchange: "1" } })).toBe(false);
  expect(haveSameFlags({ target: listed, token }, { target: listed, token: { ...token, is_poisoning: "1" } })).toBe(
    false,
  );
  expect(haveSameFlags({ target: listed, token }, { target: listed, token: { ...token, mimics_top_token: "0" } })).toBe(
    false,
  );
});
