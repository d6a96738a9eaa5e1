import fc from "fast-check";
import { expect, test } from "vitest";
import { AnsweredItems } from "../../../../../src/worker/batching/replies/answered-items.ts";
import { evm } from "../../../../support/poisoning-parts.ts";

interface Item {
  readonly chain_id: string;
  readonly address: string;
}

const loud = (address: string) => address.toUpperCase().replace("0X", "0x");
const canonical = fc.record({ chain_id: fc.constantFrom("1", "56"), address: fc.integer({ min: 1, max: 6 }).map(evm) });
/** An item as it was sent, in another spelling, or with no valid address. */
const echoed = canonical.chain((item) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Item>(item) },
    fc.constant({ ...item, address: loud(item.address) }),
    fc.constant({ ...item, chain_id: item.chain_id === "1" ? "ETH" : "bsc" }),
    fc.constantFrom({ ...item, chain_id: "?" }, { ...item, address: "0x" }, { ...item, chain_id: "tron" }),
  ),
);

/** The identity of an item as one text. Undefined for an invalid item. */
function aboutOf({ chain_id, address }: Item): string | undefined {
  const chain = { "1": "1", ETH: "1", "56": "56", bsc: "56" }[chain_id];
  return chain === undefined || address === "0x" ? undefined : `${chain} ${address.toLowerCase()}`;
}

test("items are matched by identity in any order", () => {
  const asked = fc.uniqueArray(canonical, { maxLength: 8, selector: ({ chain_id, address }) => chain_id + address });
  const answers = asked.chain((items) =>
    fc
      .oneof(
        fc.constant<readonly Item[]>(items),
        fc.tuple(fc.shuffledSubarray<Item>(items), fc.array(echoed, { maxLength: 4 })).map((all) => all.flat()),
        fc.tuple(fc.constant<readonly Item[]>(items), fc.array(echoed, { maxLength: 4 })).map((all) => all.flat()),
        fc.array(echoed, { maxLength: 8 }),
      )
      .map((given) => ({ items, given })),
  );
  fc.assert(
    fc.property(answers, ({ items, given }) => {
      const answered = new AnsweredItems(items, given);
      const about = (item: Item) => given.filter((each) => aboutOf(each) === aboutOf(item));

      for (const [at, item] of items.entries()) {
        const [only, ...others] = about(item);
        if (only === undefined) expect(() => answered.at(at)).toThrow("lacks the item");
        else if (others.length > 0) expect(() => answered.at(at)).toThrow("more than once");
        else expect(answered.at(at)).toBe(only);
      }
      const wanted = new Set(items.map(aboutOf));
      const abouts = given.map(aboutOf);
      const strangers = new Set(abouts.filter((each) => each !== undefined && !wanted.has(each)));
      expect(answered.extra).toBe(strangers.size + abouts.filter((each) => each === undefined).length);
    }),
    { numRuns: 2_000 },
  );
});

test("an index outside the request has no item", () => {
  const answered = new AnsweredItems([{ chain_id: "1", address: evm(1) }], [{ chain_id: "1", address: evm(1) }]);
  expect(() => answered.at(1)).toThrow("lacks the item");
  expect(() => answered.at(-1)).toThrow("lacks the item");
});

test.each<[string, string, string, boolean]>([
  ["56", "0x38", "", true],
  ["56", "EIP155:56", "", true],
  ["56", "eip155:0x38", "", true],
  ["56", "56", "eip155:56:", true],
  ["56", "bsc", "0x38:", true],
  ["137", "137", "evm:", true],
  ["56", "0x1", "", false],
  ["56", "eip155:1", "", false],
  ["56", "56", "eth:", false],
  ["137", "137", "ethereum:", false],
  ["56", "56", "eip155:1:", false],
  ["56", "evm", "", false],
  ["56", "56", "mainnet:", false],
])("an item sent on %s that returns on %s and with %s<address> is accepted: %s", (id, word, prefix, isTaken) => {
  const asked = [{ chain_id: id, address: evm(1) }];
  const item = { chain_id: word, address: `${prefix}${evm(1)}` };

  const answered = new AnsweredItems(asked, [item]);
  expect(answered.extra).toBe(isTaken ? 0 : 1);
  if (isTaken) expect(answered.at(0)).toBe(item);
  // An answer about another address is rejected, whatever its words are.
  expect(new AnsweredItems(asked, [{ ...item, address: `${prefix}${evm(2)}` }]).extra).toBe(1);
});
