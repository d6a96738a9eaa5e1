/**
 * The cost of items that make a service refuse a request, or fail, in virtual time: `node bench/quota/bad-item.ts`.
 * Goals: all other events have their verdicts, and no request is sent twice. For a full request that one item spoils,
 * at most 2 more requests where the refusal names the item, else 11. Where the item makes it fail, two more requests
 * and the item's own attempts. For a request that several items spoil, at most a quarter of its events and 16 requests
 * more than separate requests.
 */
import { MAX_BATCH_ITEMS } from "../../src/api/schemas/address-poisoning.ts";
import { RejectedError, UnavailableError } from "../../src/worker/answers/service-errors.ts";
import { CANARY_ITEMS } from "../../src/worker/batching/canary.ts";
import { evm } from "../../test/support/poisoning-parts.ts";
import { poolSetup } from "../../test/support/pool-setup.ts";

/** Places of a request on one chain beside its canaries. */
const PLACES = MAX_BATCH_ITEMS - CANARY_ITEMS;

process.stdout.write(
  "| full request of | the refusal | events answered | requests more than one | sent twice |\n| --- | --- | --- | --- | --- |\n",
);
for (const { who, events, userOf } of [
  { who: "of one user", events: PLACES - 1, userOf: () => 3_000 },
  { who: "of a user each", events: PLACES / 2, userOf: (i: number) => 1_000 + i },
]) {
  for (const how of ["names it", "does not", "is a 500"]) {
    const extra: number[] = [];
    let answered = events;
    let twice = 0;
    // Some items near the ends and many between.
    for (const bad of [1, 2, 3, 13, ...Array.from({ length: 30 }, (_, i) => Math.floor((events * (i + 1)) / 30))]) {
      const { calibrate, clock, ask, service } = poolSetup();
      await calibrate();
      service.alter = (request, answer) => {
        const at = request.target_addresses.findIndex(({ address }) => address === evm(bad));
        if (at < 0) return answer;
        if (how === "is a 500") throw new UnavailableError("500");
        throw new RejectedError(how === "names it" ? `target_addresses[${at}]: bad checksum` : "400");
      };
      const asked = Array.from({ length: events }, (_, i) => ask({ target: evm(i + 1), users: [evm(userOf(i))] }));
      const outcomes = await clock.runUntil(Promise.all(asked));
      answered = Math.min(answered, outcomes.filter(({ ok }) => ok).length);
      const sent = service.requests.map(({ request }) => JSON.stringify(request));
      twice += sent.length - new Set(sent).size;
      extra.push(sent.length - 1);
    }
    const [least, most] = [Math.min(...extra), Math.max(...extra)];
    process.stdout.write(
      `| ${events} events ${who} | ${how} | ${answered} | ${least === most ? most : `${least} to ${most}`} | ${twice} |\n`,
    );
  }
}

process.stdout.write(
  "\n| events | bad ones | events answered | requests | sent twice |\n| --- | --- | --- | --- | --- |\n",
);
for (const bad of [0, 1, 2, 4, 10, 40, 100, 400]) {
  const events = 400;
  const { calibrate, clock, ask, service } = poolSetup();
  await calibrate();
  const isBad = new Set(Array.from({ length: bad }, (_, i) => String(evm(1 + Math.floor((i * events) / bad)))));
  service.alter = (request, answer) => {
    if (request.target_addresses.some(({ address }) => isBad.has(address))) throw new RejectedError("400");
    return answer;
  };
  const asked = Array.from({ length: events }, (_, i) => ask({ target: evm(i + 1), users: [evm(1_000 + i)] }));
  const answered = (await clock.runUntil(Promise.all(asked))).filter(({ ok }) => ok).length;
  const sent = service.requests.map(({ request }) => JSON.stringify(request));
  process.stdout.write(`| ${events} | ${bad} | ${answered} | ${sent.length} | ${sent.length - new Set(sent).size} |\n`);
}
