import { expect, test } from "vitest";
import { exceedsLimits } from "../../../../../src/adapters/solana/node/node-limits.ts";
import { readMessageAlone } from "../../../../../src/chains/solana/message/message.ts";
import { pay } from "../../../../fixtures/solana/vectors.ts";
import { messageBytes } from "../../../../fixtures/solana/world.ts";

test.each([
  [64, 1, false],
  [65, 1, true],
  [1, 255, false],
  [1, 256, true],
])("%d instructions with %d accounts each are too many: %s", (instructions, accounts, expected) => {
  const message = readMessageAlone(messageBytes([pay(1n)]));
  if (!message.ok) throw new Error(message.detail);
  const instruction = { program: 1, accounts: new Uint8Array(accounts), data: new Uint8Array() };

  expect(exceedsLimits({ ...message.value, instructions: Array(instructions).fill(instruction) })).toBe(expected);
});
