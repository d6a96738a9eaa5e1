import { z } from "zod";
import { isRawNumber } from "../../kernel/json.ts";
import { Decimal } from "../fields.ts";
import { fieldAliases } from "../requests/spelling.ts";

const QUANTITY = "must be a whole number, decimal or 0x and hex digits";

/** An amount: decimal as a string or a JSON number, or as nodes write it, in hex. */
const Quantity = z.union([Decimal, z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, QUANTITY)], { error: QUANTITY });
type Quantity = z.infer<typeof Quantity>;

/** A quantity exactly, however it is written. */
export function quantityOf(quantity: Quantity): bigint {
  return BigInt(isRawNumber(quantity) ? quantity.rawJSON : quantity);
}

function authorizations<Item extends z.ZodType>(item: Item) {
  return z.array(item).max(64, "at most 64 items").optional().describe("EIP-7702: code that accounts let act for them");
}

/** The fields of an EVM transaction that say what it does. Amounts are wei. */
export const evmFields = {
  from: z.string().describe("whoever signs"),
  to: z.string().optional().describe("who is paid or called; absent for a contract that is created"),
  value: Quantity.refine((value) => quantityOf(value) < 1n << 256n, "must be below 2^256")
    .optional()
    .describe("native amount in wei"),
  data: z
    .string()
    .regex(/^(0x)?([0-9a-fA-F]{2})*$/, "must be hex")
    .optional()
    .describe("calldata in hex; also known as input")
    .register(fieldAliases, { names: ["input"] }),
  authorization_list: authorizations(z.object({ address: z.string() })),
};

/** Fields that libraries add, and that say nothing of gains. Lists are asked about addresses in them. */
const passedOver = [
  "type",
  "nonce",
  "gas",
  "gas_limit",
  "gas_price",
  "max_fee_per_gas",
  "max_priority_fee_per_gas",
  "max_fee_per_blob_gas",
  "access_list",
  "blob_versioned_hashes",
] as const;

/**
 * A transaction of an event. A field that is not known here might be one that pays somebody: it is refused, and not
 * dropped. Source: docs/schemas/event.schema.json.
 */
export const EvmTransaction = z.strictObject({
  ...evmFields,
  // Further members may hold addresses, such as that of the account.
  authorization_list: authorizations(z.looseObject({ address: z.string() })),
  chain_id: Quantity.optional(),
  ...Object.fromEntries(passedOver.map((name) => [name, z.unknown().optional()])),
});
export type EvmTransaction = z.infer<typeof EvmTransaction>;
