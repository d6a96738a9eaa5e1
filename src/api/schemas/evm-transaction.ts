import { z } from "zod";
import { isRawNumber } from "../../kernel/json.ts";
import { Decimal } from "../fields.ts";
import { WRITTEN_IN_FULL } from "../requests/plain-words.ts";
import { fieldAliases } from "../requests/spelling.ts";

const QUANTITY = "must be a whole number, decimal or 0x and hex digits";

/** A number with an exponent is whole as well, but its digits may be rounded. */
function quantityFault({ input }: { readonly input?: unknown }): string {
  const text = isRawNumber(input) ? input.rawJSON : String(input);
  return /^\d+(?:\.\d+)?[eE]\+?\d+$/.test(text) ? WRITTEN_IN_FULL : QUANTITY;
}

/** An amount: decimal as a string or a JSON number, or in hex as nodes write it. */
const Quantity = z.union([Decimal, z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, QUANTITY)], { error: quantityFault });
type Quantity = z.infer<typeof Quantity>;

/** The exact value of a quantity in any notation. */
export function quantityOf(quantity: Quantity): bigint {
  return BigInt(isRawNumber(quantity) ? quantity.rawJSON : quantity);
}

function authorizations<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .max(64, "at most 64 items")
    .optional()
    .describe("EIP-7702: code that accounts authorise to act for them.");
}

/** The fields of an EVM transaction that determine its effects. Amounts are wei. */
export const evmFields = {
  from: z.string().describe("Address of the signer."),
  to: z.string().optional().describe("Address that is paid or called. Absent when the transaction creates a contract."),
  value: Quantity.refine((value) => quantityOf(value) < 1n << 256n, "must be below 2^256")
    .optional()
    .describe("Native amount in wei."),
  data: z
    .string()
    .regex(/^(0x)?([0-9a-fA-F]{2})*$/, "must be hex")
    .optional()
    .describe("Calldata in hex, also known as input.")
    .register(fieldAliases, { names: ["input"] }),
  authorization_list: authorizations(z.object({ address: z.string() })),
};

/**
 * Fields that libraries add and that have no effect on gains. Addresses in these fields are still checked against
 * lists.
 */
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
 * A transaction of an event. An unknown field might pay an account, so it is refused and not dropped. Source:
 * docs/schemas/event.schema.json.
 */
export const EvmTransaction = z.strictObject({
  ...evmFields,
  // Further members may hold addresses, for example the account's address.
  authorization_list: authorizations(z.looseObject({ address: z.string() })),
  chain_id: Quantity.optional(),
  ...Object.fromEntries(passedOver.map((name) => [name, z.unknown().optional()])),
});
export type EvmTransaction = z.infer<typeof EvmTransaction>;
