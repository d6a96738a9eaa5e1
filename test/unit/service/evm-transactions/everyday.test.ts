import type { Hex } from "viem";
import { beforeAll, expect, test } from "vitest";
import { type EverydayKind, everyday } from "../../../fixtures/evm/everyday.ts";
import * as p from "../../../fixtures/evm-people.ts";
import { labelOf } from "../../../support/book-of.ts";
import { bundledLists } from "../../../support/bundled-lists.ts";
import { screened } from "../../../support/golden.ts";

let lists: Awaited<ReturnType<typeof bundledLists>>;

beforeAll(async () => {
  lists = await bundledLists(labelOf("1", p.sanctioned, "sanctioned"));
});

interface Swap {
  readonly recipient?: Hex;
  readonly spender?: Hex;
  readonly to?: Hex;
}

/** The event of an everyday kind. A swap makes it an attack. */
function eventOf(
  kind: EverydayKind,
  id: string,
  { recipient = p.me, spender = kind.spender ?? p.me, to = kind.to }: Swap = {},
): string {
  const { value = 0n, chain = "1" } = kind;
  const data = kind.data({ me: p.me, recipient, spender });
  const transaction = { from: p.me, to, value: String(value), data };
  return JSON.stringify({ id, type: "transaction", chain_id: chain, transaction, user_addresses: [p.friend] });
}

const verdictsOf = (events: readonly string[]) =>
  screened(
    events.map((event) => ["", event] as const),
    lists.service,
    lists.book,
  );

/** Kinds that stay a warning: code that the call chooses, tokens of another chain, and items of unknown worth. */
const warned = [
  "swap on 1inch",
  "swap on ParaSwap",
  "bridge tokens to OP Mainnet",
  "bridge with Across",
  "buy an item on Seaport",
];

test("everyday kinds are allowed without a node", async () => {
  const verdicts = await verdictsOf(everyday.map((kind) => eventOf(kind, kind.name)));
  const others = verdicts.filter(({ decision }) => decision !== "ALLOW");

  expect(others.map(({ event_id, decision }) => `${decision} ${event_id}`)).toEqual(
    warned.map((name) => `WARN ${name}`),
  );
});

/** An exchange's wallet of the bundled labels. Source: data/exchanges.csv, KuCoin. */
const EXCHANGE = "0x061F7937B7b2bc7596539959804F86538b6368dC";

/** In lower case, since digits are swapped and a checksum would not fit. */
const imitationOf = (address: Hex) => p.imitationOf(address.toLowerCase() as Hex);

const strangers = {
  stranger: p.stranger,
  imitation: p.imitationOf(p.me),
  exchange: imitationOf(EXCHANGE),
  listed: p.sanctioned,
};

/** Each kind with the account of one role swapped. */
const attacksBy = (role: "recipient" | "spender") =>
  everyday
    .filter(({ names }) => names.includes(role))
    .flatMap((kind) =>
      Object.entries(strangers).map(([as, address]) =>
        eventOf(kind, `${as} as ${role}: ${kind.name}`, { [role]: address }),
      ),
    );

test.each(["recipient", "spender"] as const)("a swapped %s is warned of or blocked", async (role) => {
  const verdicts = await verdictsOf(attacksBy(role));
  const passed = verdicts.filter(({ decision }) => decision !== "WARN" && decision !== "BLOCK");

  expect(passed.map(({ event_id, decision }) => `${decision} ${event_id}`)).toEqual([]);
});

test("an imitated or a listed account is blocked in every kind and role", async () => {
  const all = await verdictsOf([...attacksBy("recipient"), ...attacksBy("spender")]);
  const clear = all.filter(({ event_id: id, decision }) => !id.startsWith("stranger") && decision !== "BLOCK");

  expect(clear.map(({ event_id, decision }) => `${decision} ${event_id}`)).toEqual([]);
});

test("a swapped contract is never allowed, and an imitated or listed contract is blocked", async () => {
  const swapped = everyday.flatMap((kind) => [
    eventOf(kind, `stranger: ${kind.name}`, { to: p.stranger }),
    eventOf(kind, `imitation: ${kind.name}`, { to: imitationOf(kind.to) }),
    eventOf(kind, `listed: ${kind.name}`, { to: p.sanctioned }),
  ]);
  const verdicts = await verdictsOf(swapped);
  const wrong = verdicts.filter(({ event_id: id, decision }) =>
    id.startsWith("stranger") ? decision === "ALLOW" : decision !== "BLOCK",
  );

  expect(wrong.map(({ event_id, decision }) => `${decision} ${event_id}`)).toEqual([]);
});

test("a service's function at an exchange's wallet is not explained, and coins beside a function that takes none stay", async () => {
  const supply = everyday.find(({ name }) => name === "supply to Aave");
  if (supply === undefined) throw new Error("no such kind");
  const atWallet = eventOf(supply, "wallet", { to: EXCHANGE });
  const withCoins = eventOf({ ...supply, value: 10n ** 18n }, "coins");
  const verdicts = await verdictsOf([atWallet, withCoins]);

  expect(verdicts.map(({ decision }) => decision)).toEqual(["UNKNOWN", "WARN"]);
});

test("the attacks are at least 200", () => {
  const roles = everyday.reduce((sum, { names }) => sum + names.length, 0);

  expect(roles * Object.keys(strangers).length + everyday.length * 3).toBeGreaterThanOrEqual(200);
});
