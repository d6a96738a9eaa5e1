import { expect, test } from "vitest";
import { verdictId } from "../../../../src/messages/identity.ts";
import { parseEvent } from "../../../../src/messages/parse-event.ts";

const address = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
const user = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const parsed = (event: object) => parseEvent(Buffer.from(JSON.stringify({ type: "address", ...event })));

test.each(["1", "eth", "eip155:1", "0x1", "ERC20", "USDT (ERC20)"])(
  "an event on the chain %s has the id and the verdict id of Ethereum",
  (chain) => {
    const event = parsed({ chain_id: chain, address });

    if (!event.ok) throw new Error(event.detail);
    const plain = { type: "address", chain_id: "1", address } as const;
    expect(verdictId("", "a", event.value)).toBe(verdictId("", "a", plain));
  },
);

test("an unknown chain stays as it is written", () => {
  expect(parsed({ chain_id: "LTC", address: "L" })).toMatchObject({ ok: true, value: { chain_id: "LTC" } });
});

test("CAIP-10 addresses lose their chain, which the event need not name", () => {
  const event = parsed({ address: `eip155:1:${address}`, user_addresses: [`eip155:1:${user}`, user] });

  expect(event).toMatchObject({ ok: true, value: { chain_id: "1", address, user_addresses: [user, user] } });
});

test("a CAIP-10 address of another chain is refused", () => {
  const detail = "the chain of the event is BNB Smart Chain, and an address names the chain eip155:1";
  expect(parsed({ chain_id: "56", address: `eip155:1:${address}` })).toEqual({ ok: false, detail });
  expect(parsed({ chain_id: "56", address, user_addresses: [`eip155:1:${user}`] })).toEqual({ ok: false, detail });
});

test("a CAIP-10 text without a valid address stays, so that the verdict names its fault", () => {
  expect(parsed({ chain_id: "1", address: "eip155:1:0x12" })).toMatchObject({
    ok: true,
    value: { address: "eip155:1:0x12" },
  });
});
