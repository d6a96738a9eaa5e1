import { appendFile, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { Ticket } from "../../src/messages/ticket.ts";
import { clean } from "../fakes/evidence.ts";
import { eventually } from "../support/eventually.ts";
import { answering, listen, sendJson } from "../support/http-server.ts";
import { genuine, inputOf, ndjson } from "../support/screening.ts";
import { lineOf, verdictsIn } from "../support/verdicts.ts";
import { run, start } from "../support/weir.ts";

/** A polling time longer than a run waits in memory, so that a poll becomes a retry ticket. */
const POLL_AFTER_S = 11;
/** The deadline has passed by the next poll, but has not passed when a run begins. */
const DECISION_DEADLINE = "5s";
const [slowToken, urgentToken] = [`0x${"51".repeat(20)}`, `0x${"52".repeat(20)}`];

/** A token analysis that asks for a late poll. The poll gets the answer. */
function slowService() {
  const tokens: string[] = [];
  const compared: string[] = [];
  const listener = answering((request, response) => {
    const asked = JSON.parse(request.body);
    if (request.url.endsWith("/token-security")) {
      const { address } = asked as { address: string };
      tokens.push(address);
      const isFirst = tokens.indexOf(address) === tokens.length - 1;
      const inProgress = { code: "0", status: "in progress", pollAfter: POLL_AFTER_S };
      const data = { ...clean.tokenSecurity, address: `eth:${address}` };
      sendJson(response, 200, isFirst ? inProgress : { code: "0", status: "ok", data });
      return;
    }
    compared.push(...(asked.token_addresses ?? []).map(({ address }: { address: string }) => address));
    const flagged = (items: readonly object[], flags: object) => items.map((item) => ({ ...item, ...flags }));
    const data = {
      target_addresses: flagged(asked.target_addresses, clean.target),
      token_addresses: flagged(asked.token_addresses ?? [], clean.token),
    };
    sendJson(response, 200, { code: "0", status: "ok", data });
  });
  return { listener, tokens, compared };
}

test("retry tickets for polls survive kill -9 twice: no event is lost, no revision is duplicated, and the last one is there", async () => {
  const slow = { ...genuine, id: "slow", token_address: slowToken };
  const urgent = { ...genuine, id: "urgent", lane: "realtime", token_address: urgentToken };
  const { file, out } = await inputOf("events.ndjson", ndjson(genuine, slow, urgent, slow));
  const service = slowService();
  const env = { SERVICE_URL: await listen(service.listener), SERVICE_API_KEY: "k", DECISION_DEADLINE };
  const linesOf = async (name: string) =>
    (await readFile(path.join(out, name), "utf8").catch(() => "")).split("\n").slice(0, -1);
  const ticketLines = async () => (await linesOf("tickets.ndjson")).filter((line) => line !== "");

  const first = start(["screen", file, "--out", out], env);
  await eventually(ticketLines, (lines) => lines.length === 2, "a ticket of each that waits");
  await eventually(
    () => linesOf("verdicts.ndjson"),
    (lines) => lines.length === 2,
    "the verdicts until then",
  );
  first.child.kill("SIGKILL");
  await first.ended;
  await appendFile(path.join(out, "tickets.ndjson"), '{"schema":"weir.ticket/1","verdict_id":"torn');
  const left = (await ticketLines()).slice(0, 2).map((line) => Ticket.parse(JSON.parse(line)));

  const second = start(["screen", file, "--out", out], env);
  await second.untilSaid(/./);
  second.child.kill("SIGKILL");
  await second.ended;
  const third = await run(["screen", file, "--out", out], env);
  const text = await readFile(path.join(out, "verdicts.ndjson"));
  const again = await run(["screen", file, "--out", out], env);

  expect(left.map(({ revision, attempt, checks }) => [revision, attempt, checks.length]).toSorted()).toEqual([
    [0, 1, 1],
    [1, 1, 1],
  ]);
  expect((await verdictsIn(out)).map((each) => [lineOf(each), each.event_id, each.revision, each.decision])).toEqual([
    [1, "events.ndjson/1", 0, "ALLOW"],
    [2, "slow", 0, "ALLOW"],
    [3, "urgent", 0, "UNKNOWN"],
    [3, "urgent", 1, "ALLOW"],
  ]);
  expect([third.status, again.status]).toEqual([0, 0]);
  expect(await readFile(path.join(out, "verdicts.ndjson"))).toEqual(text);
  // Each token has two requests, from whichever run. The time of a poll outlives its run.
  expect(service.tokens.toSorted()).toEqual([slowToken, slowToken, urgentToken, urgentToken]);
  // Answers of an earlier run clear no event. The first and the last run ask whether the addresses imitate.
  expect(service.compared.toSorted()).toEqual([slowToken, slowToken, urgentToken, urgentToken]);
  expect((await run(["audit", "--dir", out])).status).toBe(0);
}, 120_000);
