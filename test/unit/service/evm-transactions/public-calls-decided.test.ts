import { readFileSync } from "node:fs";
import { type Hex, parseTransaction } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import * as p from "../../../fixtures/evm-people.ts";
import { bundledLists } from "../../../support/bundled-lists.ts";
import { screened } from "../../../support/golden.ts";

interface PublicCall {
  readonly project: string;
  readonly raw_tx: Hex;
  readonly tx_hash: Hex;
}

/** Real contract calls of public descriptors' tests. Source: clear-signing-erc7730-registry. */
const calls = readFileSync("test/fixtures/evm/public-calls.ndjson", "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as PublicCall);

/** Projects whose descriptors the table of functions was not made of. */
const heldOut = new Set(["3f", "chainlink", "cryptopunks", "diggers", "livepeer", "mellow"]);

/** The sender of the calls is not in the registry, so a stranger sends them: every recipient is another account. */
const events = calls.map(({ raw_tx, tx_hash }) => {
  const { to, value = 0n, data = "0x", chainId = 1 } = parseTransaction(raw_tx);
  const transaction = { from: p.me, to, value: String(value), data };
  return JSON.stringify({ id: tx_hash, type: "transaction", chain_id: String(chainId), transaction });
});

let verdicts: readonly Verdict[];

beforeAll(async () => {
  const { book, service } = await bundledLists();
  verdicts = await screened(
    events.map((event) => ["", event] as const),
    service,
    book,
  );
});

const shareOf = (isCounted: (call: PublicCall) => boolean) => {
  const counted = verdicts.filter((_, i) => isCounted(calls[i] as PublicCall));
  return counted.filter(({ decision }) => decision !== "UNKNOWN").length / counted.length;
};

describe("real contract calls without a node", () => {
  test("of projects in the table, four of five are decided", () => {
    expect(shareOf(({ project }) => !heldOut.has(project))).toBeGreaterThanOrEqual(0.8);
  });

  test("of all projects, three of four are decided", () => {
    expect(shareOf(() => true)).toBeGreaterThanOrEqual(0.75);
  });

  test("none is blocked", () => {
    expect(verdicts.filter(({ decision }) => decision === "BLOCK").map(({ event_id }) => event_id)).toEqual([]);
  });
});
