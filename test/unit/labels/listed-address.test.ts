import { expect, test } from "vitest";
import { listedAddress } from "../../../src/labels/listed-address.ts";

const evm = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";
const tron = "TXFBqBbqJommqZf7BV8NNYzePh97UmJodJ";
const solana = "42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi";
const bitcoin = "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h";
const monero = "44dZUJ7w1T3fKAvFW8XyXUVoAGSbFvXef2wcbnsjNKGWYorpLJBjth5VKSFhLGkpYKJb2J341tdZHBnbpv72WL7e8zuxfR2";

test.each([
  ["ETH", evm, { chain: "evm", address: evm }],
  ["ARB", evm, { chain: "evm", address: evm }],
  ["XBT", bitcoin, { chain: "bitcoin", address: bitcoin }],
  ["TRX", tron, { chain: "tron", address: tron }],
  ["SOL", solana, { chain: "solana", address: solana }],
  ["", solana, { chain: "solana", address: solana }],
  ["", evm, { chain: "evm", address: evm }],
])("%s %s belongs to its own chain", (currency, address, place) => {
  expect(listedAddress(address, currency)).toEqual({ ok: true, value: place });
});

test.each([
  ["evm", evm],
  ["tron", tron],
  ["solana", solana],
  ["bitcoin", bitcoin],
])("the form of a USDT address assigns it to %s", (chain, address) => {
  expect(listedAddress(address, "USDT")).toEqual({ ok: true, value: { chain, address } });
});

test.each([
  ["BCH", bitcoin, { chain: "bitcoin", address: bitcoin, publishedFor: "BCH" }],
  ["BSV", bitcoin, { chain: "bitcoin", address: bitcoin, publishedFor: "BSV" }],
  ["Bitcoin Gold", bitcoin, { chain: "bitcoin", address: bitcoin, publishedFor: "BTG" }],
  ["ETC", evm, { chain: "evm", address: evm, publishedFor: "ETC" }],
  ["XBT", evm, { chain: "evm", address: evm, publishedFor: "XBT" }],
  [
    "BCH",
    "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
    { chain: "bitcoin", address: "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", publishedFor: "BCH" },
  ],
])("an address published for %s is accepted where the same key owns it, with a note", (currency, address, place) => {
  expect(listedAddress(address, currency)).toEqual({ ok: true, value: place });
});

test.each([
  ["XMR", monero, "XMR"],
  ["", monero, "XMR"],
  ["LTC", "LNwgtMxcKUQ51dw7bQL1yPQjBVZh6QEqsd", "LTC"],
  ["", "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9", "LTC"],
  ["ZEC", "t1g7wowvQ8gn2v8jrU1biyJ26sieNqNsBJy", "ZEC"],
  ["DASH", "XnPFsRWTaSgiVauosEwQ6dEitGYXgwznz2", "DASH"],
  ["BTG", "GPwg61XoHqQPNmAucFACuQ5H9sGCDv9TpS", "BTG"],
  ["XRP", "rnXyVQzgxZe7TR1EPzTkGj2jxH4LMJYh66", "XRP"],
  ["XVG", "D9jrPLtsSEeXUSmmx6hVGLbwDuMcUmQcEF", "XVG"],
  ["", "D9jrPLtsSEeXUSmmx6hVGLbwDuMcUmQcEF", "DOGE or XVG"],
  ["NEWCOIN", "anything at all", "NEWCOIN"],
])("%s %s belongs to a chain that is not screened", (currency, address, unscreened) => {
  expect(listedAddress(address, currency)).toEqual({ ok: true, value: { unscreened } });
});

test("an address with an invalid form is left to its chain to refuse, and is not counted as not screened", () => {
  expect(listedAddress("12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9x", "BCH")).toMatchObject({ value: { chain: "bitcoin" } });
  expect(listedAddress("nonsense", "ETH")).toMatchObject({ value: { chain: "evm" } });
  expect(listedAddress("qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q", "BCH")).toMatchObject({ ok: false });
  expect(listedAddress("nonsense", "USDT")).toMatchObject({ ok: false });
  expect(listedAddress("nonsense")).toMatchObject({ ok: false });
  expect(listedAddress("account:nonsense")).toMatchObject({ ok: false });
  expect(listedAddress("ethereum:nonsense")).toMatchObject({ value: { chain: "evm" } });
});

test.each(["USDT-TRC20", "USDT (TRC20)", "USDT TRC-20", "TRC20", "Tron (TRX)", "BTT", "USDT", "ETH, TRX"])(
  "a TRON address with the currency %s belongs to TRON",
  (currency) => {
    expect(listedAddress(tron, currency)).toEqual({ ok: true, value: { chain: "tron", address: tron } });
  },
);

test.each(["NEWCOIN", "XMR", "ETH", "NEWCOIN, XMR"])(
  "a TRON address belongs to TRON, though published for %s",
  (currency) => {
    expect(listedAddress(tron, currency)).toMatchObject({
      value: { chain: "tron", address: tron, publishedFor: currency },
    });
  },
);

test.each(["PYUSD", "USDC-SPL", "USDC (Solana)", "SPL", "Solana (SOL)", "XMR, SOL"])(
  "an address in the form of Solana belongs to Solana for %s",
  (currency) => {
    expect(listedAddress(solana, currency)).toEqual({ ok: true, value: { chain: "solana", address: solana } });
  },
);

test.each([
  [solana, "NEWCOIN"],
  [solana, "NEWCOIN, XMR"],
  [solana.slice(1), "NEWCOIN"],
  [evm.slice(2), "NEWCOIN"],
  ["vitalik.eth", "NEWCOIN"],
])("%s for %s may be on a screened chain, so it is refused", (address, currency) => {
  const place = listedAddress(address, currency);
  expect(place).toMatchObject({ ok: false, detail: expect.stringMatching(/currency .* is not known/) });
});

test("a TRON address with a wrong checksum is left to TRON to refuse, unless its currency belongs to a chain that is not screened", () => {
  const wrong = `${tron.slice(0, -1)}k`;
  expect(listedAddress(wrong, "NEWCOIN")).toMatchObject({ value: { chain: "tron" } });
  expect(listedAddress(wrong, "XMR")).toEqual({ ok: true, value: { unscreened: "XMR" } });
});

test.each([
  ["Monero (XMR)", monero, "XMR"],
  ["Bitcoin Cash (BCH)", "anything", "BCH"],
  ["XMR", solana, "XMR"],
  ["BNB", "bnb1grpf0955h0ykzq3ar5nmum7y6gdfl6lxfn46h2", "BNB Beacon Chain"],
  ["", "bnb1grpf0955h0ykzq3ar5nmum7y6gdfl6lxfn46h2", "BNB Beacon Chain"],
  ["NEWCOIN", monero, "XMR"],
])("%s %s belongs to the chain of %s", (currency, address, unscreened) => {
  expect(listedAddress(address, currency)).toEqual({ ok: true, value: { unscreened } });
});

test.each([
  [`eip155:1:${evm}`, "evm", evm],
  [`ethereum:${evm}`, "evm", evm],
  [`ethereum:${evm}@1`, "evm", evm],
  [`eth:${evm}`, "evm", evm],
  [`bitcoin:${bitcoin}`, "bitcoin", bitcoin],
  [`tron:${tron}`, "tron", tron],
  [`solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${solana}`, "solana", solana],
])("the name of a chain in front of %s is removed", (text, chain, address) => {
  expect(listedAddress(text)).toEqual({ ok: true, value: { chain, address } });
  expect(listedAddress(text, chain)).toMatchObject({ value: { chain, address } });
});

test("a chain in front that is not screened counts as the currency", () => {
  expect(listedAddress(`monero:${monero}`)).toEqual({ ok: true, value: { unscreened: "XMR" } });
});
