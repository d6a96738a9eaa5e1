import { z } from "zod";
import { envelope } from "../envelope.ts";
import { ItemError } from "../failures.ts";
import { ChainId, Flag } from "../fields.ts";

/**
 * The most items of one batch: users, targets and tokens together. Source: docs/decisions/0001-open-points.md,
 * "Limits".
 */
export const MAX_BATCH_ITEMS = 1000;

/**
 * The name that a token gives itself. The longest name in public lists has about 60 characters, but a contract may
 * return anything.
 */
const TokenText = z.string().max(1_000);

/** Single form, as a JSON body or as a query string. An empty optional string counts as omitted. */
export const PoisoningSingleRequest = z
  .object({
    chain_id: ChainId,
    address: z.string().describe("Target address."),
    user_address: z.string().optional().describe("Connected wallet. Without a wallet, mimics_user stays '0'."),
    token_address: z
      .string()
      .optional()
      .describe("Token contract, which is compared with well-known tokens of the chain."),
    token_symbol: TokenText.optional().describe("Extra: symbol of the token, which is compared by its look."),
    token_name: TokenText.optional().describe("Extra: full name of the token, which is compared by its look."),
  })
  .meta({ id: "PoisoningSingleRequest" });
export type PoisoningSingleRequest = z.infer<typeof PoisoningSingleRequest>;

const ChainAddress = z.object({ chain_id: ChainId, address: z.string() }).meta({ id: "ChainAddress" });
export type ChainAddress = z.infer<typeof ChainAddress>;

const TokenAddress = ChainAddress.extend({
  symbol: TokenText.optional().describe("Extra: symbol of the token, which is compared by its look."),
  name: TokenText.optional().describe("Extra: full name of the token, which is compared by its look."),
}).meta({ id: "TokenAddress" });

/** Batch form. Source: docs/decisions/0001-open-points.md, "Address poisoning" and "Limits". */
export const PoisoningBatchRequest = z
  .object({
    user_addresses: z.array(ChainAddress).min(1, "at least 1 item"),
    target_addresses: z.array(ChainAddress).default([]),
    token_addresses: z.array(TokenAddress).default([]),
  })
  .refine((r) => r.target_addresses.length + r.token_addresses.length > 0, {
    path: ["target_addresses"],
    message: "at least 1 item across target_addresses and token_addresses",
  })
  .refine((r) => r.user_addresses.length + r.target_addresses.length + r.token_addresses.length <= MAX_BATCH_ITEMS, {
    path: ["user_addresses"],
    message: `at most ${MAX_BATCH_ITEMS} items across user_addresses, target_addresses and token_addresses`,
  })
  .meta({ id: "PoisoningBatchRequest" });
export type PoisoningBatchRequest = z.infer<typeof PoisoningBatchRequest>;

const batchFields = ["user_addresses", "target_addresses", "token_addresses"];
const batchNames = new Set([...batchFields, "userAddresses", "targetAddresses", "tokenAddresses"]);

/**
 * Whether a POST body is the batch form: it names one of the three arrays. Any other body is the single form. The rule
 * is "not shown" in the interface (docs/decisions/0001-open-points.md).
 */
export function isBatchForm(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return Object.entries(body).some(([name, value]) => batchNames.has(name) && value !== null);
}

/** Documented extras of Weir: the imitated labelled address and its name. Absent when no label matched. */
const MatchedAddress = z.string().optional().describe("Extra: labelled address that the item imitates.");
const MatchedName = z.string().optional().describe("Extra: name of the label of the imitated address.");

const MimicsSystem = Flag.optional().describe(
  "Extra, '1' only: the Solana address was made to look like a program or an account of the network. is_poisoning is '1' too.",
);
/** A listed address imitates nothing, so no flag of the interface can express it. */
const ListedAs = z
  .string()
  .optional()
  .describe(
    "Extra: sanctioned or blocked, where lists or labels of the service accuse the address itself. blocked covers malicious and risk 4 and 5.",
  );

export const TargetFlags = z.looseObject({
  is_poisoning: Flag.describe("Aggregate verdict on the target."),
  mimics_user: Flag,
  mimics_exchange: Flag.describe(
    "'1' when the target is confusable with a known exchange, bridge or protocol address.",
  ),
  mimics_system: MimicsSystem,
  matched_address: MatchedAddress,
  matched_name: MatchedName,
  listed_as: ListedAs,
});
export type TargetFlags = z.infer<typeof TargetFlags>;

export const TokenFlags = z.looseObject({
  is_poisoning: Flag.describe("Aggregate verdict on the token."),
  mimics_top_token: Flag,
  matched_token: z.string().describe("Label of the resembled token. Empty without a match."),
  mimics_system: MimicsSystem,
  matched_address: MatchedAddress,
  listed_as: ListedAs,
});
export type TokenFlags = z.infer<typeof TokenFlags>;

const NoToken = z.strictObject({}).describe("The request has no token.");

export const PoisoningSingleResponse = envelope(
  z.looseObject({
    target_address: TargetFlags,
    token_address: z.union([TokenFlags, NoToken]),
    target_address_input: z.string(),
    user_address_input: z.string(),
    token_address_input: z.string(),
  }),
).meta({ id: "PoisoningSingleResponse" });
export type PoisoningSingleResponse = z.infer<typeof PoisoningSingleResponse>;

const Echo = { chain_id: z.string(), address: z.string() };
/** An item that failed validation. Other items of the batch are unaffected. */
export const FailedItem = z.looseObject({ ...Echo, error: ItemError }).meta({ id: "FailedItem" });

export const TargetItem = z.union([z.looseObject({ ...Echo, ...TargetFlags.shape }), FailedItem]);
export type TargetItem = z.infer<typeof TargetItem>;
export const TokenItem = z.union([z.looseObject({ ...Echo, ...TokenFlags.shape }), FailedItem]);
export type TokenItem = z.infer<typeof TokenItem>;

export const PoisoningBatchResponse = envelope(
  z.looseObject({ target_addresses: z.array(TargetItem), token_addresses: z.array(TokenItem) }),
).meta({ id: "PoisoningBatchResponse" });
export type PoisoningBatchResponse = z.infer<typeof PoisoningBatchResponse>;
