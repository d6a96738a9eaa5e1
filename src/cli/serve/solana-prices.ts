import { z } from "zod";
import { plainWords } from "../../api/requests/plain-words.ts";
import { parseAddress } from "../../chains/address.ts";
import { NATIVE } from "../../chains/solana/rules/token-changes.ts";
import { type Clock, unixMs } from "../../kernel/clock.ts";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import { repeatedKey } from "../../kernel/json.ts";
import type { PriceOf } from "../../service/solana-transactions/value-text.ts";
import type { ServeConfig } from "../config/config.ts";
import { readSettingFile } from "../config/setting-file.ts";

/** Largest difference between the clocks of the file's writer and of this machine. */
const SKEW_MS = 60_000;

/** Text, since a JSON number would be rounded. */
const Price = z.strictObject({
  price: z.string().regex(/^(0|[1-9]\d{0,17})(\.\d{1,18})?$/, 'must be text of a plain decimal, such as "142.5"'),
  as_of: z.iso.datetime({ error: "must be a time in UTC, such as 2026-01-31T12:00:00Z" }),
});
const token = z
  .string()
  .refine((text) => text === NATIVE || parseAddress("solana", text).ok, `must be ${NATIVE} or the address of a mint`);
const Prices = z.record(token, Price);

/**
 * Prices in US dollars by mint, from the file of SOLANA_PRICES_FILE, unless they are too old. Empty without a file.
 *
 * @throws {ConfigInvalidError} for a file in a wrong form: a wrong price would look like a right one.
 */
export async function readSolanaPrices(
  {
    SOLANA_PRICES_FILE: file,
    SOLANA_PRICES_MAX_AGE: maxAgeMs,
  }: Pick<ServeConfig, "SOLANA_PRICES_FILE" | "SOLANA_PRICES_MAX_AGE">,
  clock: Pick<Clock, "now">,
): Promise<PriceOf> {
  if (file === undefined) return () => undefined;
  const prices = parsed(file, await readSettingFile("SOLANA_PRICES_FILE", file));
  const ahead = Object.entries(prices).find(([, { as_of }]) => unixMs(as_of) > clock.now() + SKEW_MS);
  if (ahead !== undefined) throw bad(file, `${ahead[0]}.as_of: must not lie ahead`);
  const byToken = new Map(Object.entries(prices));
  return (of) => {
    const known = byToken.get(of);
    return known === undefined || clock.now() - unixMs(known.as_of) > maxAgeMs ? undefined : known.price;
  };
}

function parsed(file: string, text: string): z.output<typeof Prices> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (thrown) {
    throw bad(file, `is not JSON: ${toError(thrown).message}`);
  }
  const twice = repeatedKey(text, 2);
  if (twice !== undefined) throw bad(file, `${twice} stands there twice`);
  const prices = Prices.safeParse(json, { error: plainWords });
  if (prices.success) return prices.data;
  const [issue] = prices.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  const nested = issue?.code === "invalid_key" ? issue.issues[0]?.message : undefined;
  throw bad(file, `${where}${nested ?? issue?.message}`);
}

function bad(file: string, detail: string): ConfigInvalidError {
  return new ConfigInvalidError(`SOLANA_PRICES_FILE: ${file}: ${detail}`);
}
