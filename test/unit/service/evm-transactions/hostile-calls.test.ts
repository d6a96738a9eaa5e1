import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as p from "../../../fixtures/evm-people.ts";
import { labelOf } from "../../../support/book-of.ts";
import { bundledLists } from "../../../support/bundled-lists.ts";
import { screened } from "../../../support/golden.ts";

/**
 * Calls that a reviewer wrote against the table of services' functions: proceeds left with routers, code that the call
 * chooses, tokens and fees of other chains, weakened Safes. The reviewer had read the table, and not written it.
 */
const events = readFileSync("test/fixtures/evm/hostile-calls.ndjson", "utf8").trimEnd().split("\n");

test("no call that a reviewer wrote to cheat the table of functions is allowed", async () => {
  const { book, service } = await bundledLists(
    labelOf("1", p.sanctioned, "sanctioned"),
    labelOf("1", p.safe, "allowed"),
  );
  const verdicts = await screened(
    events.map((event) => ["", event] as const),
    service,
    book,
  );

  expect(verdicts.length).toBeGreaterThan(100);
  expect(verdicts.filter(({ decision }) => decision === "ALLOW").map(({ event_id }) => event_id)).toEqual([]);
});
