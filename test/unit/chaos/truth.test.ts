import { expect, test } from "vitest";
import type { CanonicalAddress } from "../../../src/chains/address.ts";
import { lookalike } from "../../../src/chains/lookalike.ts";
import { canaryPairs } from "../../../src/worker/batching/calibration/canary-pairs.generated.ts";
import { Users } from "../../chaos/truth.ts";

const chains = { evm: "1", solana: "solana" } as const;

test.each(["evm", "solana"] as const)("among users of %s it finds exactly the pairs of lookalikes", (family) => {
  const pairs = canaryPairs.filter((pair) => pair.family === family);
  const item = (address: string) => ({ chain_id: chains[family], address });
  for (const { target } of pairs) {
    for (const { user } of pairs) {
      const isAlike = lookalike(family, target as CanonicalAddress, user as CanonicalAddress) !== undefined;
      expect(new Users([item(user)]).areImitatedBy(item(target)), `${target} ${user}`).toBe(isAlike);
    }
    const all = new Users(pairs.map(({ user }) => item(user)));
    const isAnyAlike = pairs.some(
      ({ user }) => lookalike(family, target as CanonicalAddress, user as CanonicalAddress) !== undefined,
    );
    expect(all.areImitatedBy(item(target))).toBe(isAnyAlike);
  }
  expect(pairs.length).toBeGreaterThan(4);
});

test("users on another chain do not count", () => {
  const [pair] = canaryPairs.filter(({ family }) => family === "evm");
  const users = new Users([{ chain_id: "56", address: pair?.user ?? "" }]);
  expect(users.areImitatedBy({ chain_id: "1", address: pair?.target ?? "" })).toBe(false);
});
