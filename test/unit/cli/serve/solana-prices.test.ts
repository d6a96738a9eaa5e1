import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readEnv } from "../../../../src/cli/config/config.ts";
import { ServeEnv } from "../../../../src/cli/config/env/serve-env.ts";
import { readSolanaPrices } from "../../../../src/cli/serve/solana-prices.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { emptyFolder } from "../../../support/folder.ts";

const mint = "EPjFWdD5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const as_of = "2026-01-31T12:00:00Z";
const NOON = Date.parse(as_of);

async function read(text: string, { now = () => NOON, env = {} } = {}) {
  const file = path.join(await emptyFolder(), "prices.json");
  writeFileSync(file, text);
  const named = { SOLANA_PRICES_FILE: file, ...env };
  return { file, prices: readSolanaPrices(readEnv(ServeEnv, named), { now }) };
}

test("prices are exactly those of the file", async () => {
  const text = { native: { price: "142.50", as_of }, [mint]: { price: "0.000000000000000001", as_of } };

  const priceOf = await (await read(JSON.stringify(text))).prices;

  expect([priceOf("native"), priceOf(mint)]).toEqual(["142.50", "0.000000000000000001"]);
  expect(priceOf("So11111111111111111111111111111111111111112")).toBeUndefined();
  expect(priceOf("constructor")).toBeUndefined();
});

test("without a file there are no prices", async () => {
  const priceOf = await readSolanaPrices(readEnv(ServeEnv, {}), { now: () => NOON });

  expect(priceOf("native")).toBeUndefined();
});

describe("a price is used only while it is valid:", () => {
  const DAY = 86_400_000;
  test.each([
    ["a day", {}, DAY],
    ["as set", { SOLANA_PRICES_MAX_AGE: "30s" }, 30_000],
  ])("%s", async (_what, env, maxAgeMs) => {
    let now = NOON;
    const { prices } = await read(JSON.stringify({ native: { price: "1", as_of } }), { now: () => now, env });
    const priceOf = await prices;

    now = NOON + maxAgeMs;
    expect(priceOf("native")).toBe("1");
    now++;
    expect(priceOf("native")).toBeUndefined();
  });
});

const one = (entry: object, of = "native") => JSON.stringify({ [of]: entry });
const notPlain = 'must be text of a plain decimal, such as "142.5"';
test.each([
  ["a number", one({ price: 1.5, as_of }), "native.price: must be a string"],
  ["an exponent", one({ price: "1e3", as_of }), `native.price: ${notPlain}`],
  ["a sign", one({ price: "-1", as_of }), `native.price: ${notPlain}`],
  ["a comma", one({ price: "1,5", as_of }), `native.price: ${notPlain}`],
  ["nothing before the point", one({ price: ".5", as_of }), `native.price: ${notPlain}`],
  ["a leading zero", one({ price: "01", as_of }), `native.price: ${notPlain}`],
  ["a line break", one({ price: "1\n", as_of }), `native.price: ${notPlain}`],
  ["too many digits", one({ price: `0.${"1".repeat(19)}`, as_of }), `native.price: ${notPlain}`],
  ["no price", one({ as_of }), "native.price: is missing"],
  ["no time", one({ price: "1" }), "native.as_of: must be a time in UTC, such as 2026-01-31T12:00:00Z"],
  [
    "a day without a time",
    one({ price: "1", as_of: "2026-01-31" }),
    "native.as_of: must be a time in UTC, such as 2026-01-31T12:00:00Z",
  ],
  ["a time ahead", one({ price: "1", as_of: "2026-01-31T12:01:01Z" }), "native.as_of: must not lie ahead"],
  ["a field more", one({ price: "1", as_of, usd: 1 }), "native: unknown field usd"],
  ["no address", one({ price: "1", as_of }, "SOL"), "SOL: must be native or the address of a mint"],
  [
    "an address of another chain",
    one({ price: "1", as_of }, `0x${"a".repeat(40)}`),
    `0x${"a".repeat(40)}: must be native or the address of a mint`,
  ],
  ["a list", "[]", "must be an object"],
  [
    "a mint twice",
    `{"native":{"price":"1","as_of":"${as_of}"},"native":{"price":"2","as_of":"${as_of}"}}`,
    "native stands there twice",
  ],
  ["a price twice", `{"native":{"price":"1","price":"2","as_of":"${as_of}"}}`, "price stands there twice"],
])("%s is refused", async (_what, text, detail) => {
  const { file, prices } = await read(text);

  await expect(prices).rejects.toEqual(new ConfigInvalidError(`SOLANA_PRICES_FILE: ${file}: ${detail}`));
});

test.each(["", "{", "null"])("%j is refused", async (text) => {
  await expect((await read(text)).prices).rejects.toThrow(/^SOLANA_PRICES_FILE: .+: (is not JSON|must be an object)/);
});

test("an absent file is refused", async () => {
  const config = readEnv(ServeEnv, { SOLANA_PRICES_FILE: "/nowhere/prices.json" });

  await expect(readSolanaPrices(config, { now: () => NOON })).rejects.toThrow(
    /^SOLANA_PRICES_FILE: cannot read \/nowhere\/prices\.json: /,
  );
});
