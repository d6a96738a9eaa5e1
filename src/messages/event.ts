import { z } from "zod";
import { ChainId } from "../api/fields.ts";
import type { DeepReadonly } from "../kernel/result.ts";
import { checks } from "./checks.ts";
import { lanes } from "./lane.ts";

/** The longest record that is parsed, bytes. A longer or deeper record gets UNKNOWN without parsing. */
export const MAX_EVENT_BYTES = 262_144;

const OneLine = /^[^\p{Cc}]*$/u;
const Name = z.string().min(1, "must not be empty").max(256).regex(OneLine, "must not hold control characters");

/** The fields by which a producer identifies its record. A malformed record keeps them too (malformed-names.ts). */
export const ScreeningEventNames = {
  id: Name.optional().describe(
    "Idempotency key of the producer. Without a key, Weir uses topic/partition/offset, or file/line.",
  ),
  tenant: Name.optional(),
  ref: z.unknown().optional().describe("Data of the producer, which Weir copies to the verdict unchanged."),
};

/** Fields that every event may have. On Kafka the topic decides the lane; `lane` counts in files only. */
const common = {
  id: ScreeningEventNames.id,
  tenant: ScreeningEventNames.tenant,
  chain_id: ChainId,
  user_addresses: z.array(z.string()).max(10_000).optional().describe("Addresses that the user owns or has paid."),
  checks: z.array(z.enum(checks, { error: `must be one of ${checks.join(", ")}` })).optional(),
  lane: z.enum(lanes, { error: "must be realtime or backfill" }).optional(),
  occurred_at: z
    .string()
    .refine(isTime, "must be a time such as 2026-01-31T08:00:00Z")
    .optional()
    .describe("Time of the payment, in RFC 3339. A date alone is also a time."),
  ref: ScreeningEventNames.ref,
};

export const AddressEvent = z
  .object({
    ...common,
    type: z.literal("address"),
    address: z.string().describe("Address that the money comes from or goes to."),
    token_address: z.string().optional(),
    user_address: z
      .string()
      .optional()
      .describe("One more of user_addresses, under the name of the service's single form."),
  })
  .meta({ id: "AddressEvent" });

export const TransactionEvent = z
  .object({
    ...common,
    type: z.literal("transaction"),
    transaction: z.union([z.looseObject({}), z.array(z.looseObject({})).min(1, "at least 1 item")], {
      error: "must be an object or an array",
    }),
    dapp_url: z.string().optional(),
  })
  .meta({ id: "TransactionEvent" });

export type AddressEvent = DeepReadonly<z.infer<typeof AddressEvent>>;
export type TransactionEvent = DeepReadonly<z.infer<typeof TransactionEvent>>;

/** An input message. Field names are accepted in both spellings. Source: docs/schemas/event.schema.json. */
export const ScreeningEvent = z.discriminatedUnion("type", [AddressEvent, TransactionEvent]);
export type ScreeningEvent = DeepReadonly<z.infer<typeof ScreeningEvent>>;

/** The field names of an event about an address, as CSV columns are named too. */
export const addressFields: readonly string[] = Object.keys(AddressEvent.shape);

/**
 * A date by itself and a time without an offset are accepted too, because nothing is computed with them. Source: RFC
 * 3339, section 5.6.
 */
const TIME = /^(\d{4})-(\d\d)-(\d\d)([Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d\d:[0-5]\d)?)?$/;

/** Whether `text` is a time as people and programs write it. A day that its month does not have is refused. */
export function isTime(text: string): boolean {
  const [, year, month, day] = TIME.exec(text) ?? [];
  return day !== undefined && Number(day) > 0 && Number(day) <= daysIn(Number(year), Number(month));
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
