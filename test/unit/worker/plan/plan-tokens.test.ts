import { expect, test } from "vitest";
import type { Chain } from "../../../../src/chains/chain.ts";
import { addressOf } from "../../../../src/chains/evm/abi/abi-reader.ts";
import { planTokens } from "../../../../src/worker/plan/plan-tokens.ts";

const chain: Chain = { id: "1", name: "Ethereum", family: "evm" };
const addresses = (count: number) => Array.from({ length: count }, (_, i) => addressOf(String(i + 10).repeat(20)));
const [token, other] = addresses(2);

test("a token that is named twice counts once, and several tokens are one question", () => {
  expect(
    planTokens(
      [token, token].flatMap((one) => one ?? []),
      chain,
    ),
  ).toEqual({
    question: { check: "token-security", chain, token },
  });
  expect(
    planTokens(
      [token, other, token].flatMap((one) => one ?? []),
      chain,
    ),
  ).toEqual({
    question: { check: "token-security", chain, tokens: [token, other] },
  });
});

test("a transaction without tokens has no question, and too many tokens are not sent at all", () => {
  expect(planTokens([], chain)).toMatchObject({ entry: { outcome: "not_applicable" } });
  expect(planTokens(addresses(32), chain)).toMatchObject({ question: { tokens: addresses(32) } });
  expect(planTokens(addresses(33), chain)).toMatchObject({
    entry: {
      check: "token-security",
      outcome: "failed",
      error: {
        code: "SUBJECT_UNSUPPORTED",
        detail: "32 tokens are analysed for one transaction, this one has 33",
      },
    },
  });
});
