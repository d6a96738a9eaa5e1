import { z } from "zod";
import type { DeepReadonly } from "../../kernel/result.ts";
import { AddressEvent, TransactionEvent } from "../event.ts";

export const MAPPING_SCHEMA = "weir.mapping/1";

/** A column of a CSV, a member of a JSON object, or a JSON pointer (RFC 6901) that begins with /. */
const Source = z.string().min(1, "must name a column or a JSON pointer").max(256);

const Constant = z.strictObject({ value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]) });

const Lookup = z.strictObject({
  from: z.union([Source, z.array(Source).min(1)]).describe("The first of these sources that has a value."),
  table: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe("Texts in place of texts, in any case."),
  otherwise: z.string().optional().describe("The text for a value that the table lacks. By default the value itself."),
  optional: z.boolean().optional().describe("Whether the sources may be missing in the file."),
});

const Value = z.union([Source, Constant, Lookup], { error: "must be a source, {value: ...} or {from: ...}" });
const Values = z.union([Value, z.array(Value).min(1)], {
  error: "must be a source, {value: ...}, {from: ...} or a list",
});

/** Fields that hold several values. Only these may have a list of sources. */
export const listFields = ["user_addresses", "checks"] as const;

/** The fields that a mapping can fill. `type` follows from them. */
export const mappableFields: readonly string[] = [
  ...new Set([...Object.keys(AddressEvent.shape), ...Object.keys(TransactionEvent.shape)]),
].filter((field) => field !== "type" && field !== "user_address");

const Fields = z.record(z.string(), Values).superRefine((fields, context) => {
  for (const [field, values] of Object.entries(fields)) {
    if (!mappableFields.includes(field))
      context.addIssue({
        code: "custom",
        path: [field],
        message: `no field of an event: ${mappableFields.join(", ")}`,
      });
    if (Array.isArray(values) && !listFields.some((each) => each === field))
      context.addIssue({
        code: "custom",
        path: [field],
        message: "holds one value: name the sources as {from: [...]}",
      });
  }
});

const Transfer = z.strictObject({
  from: Value,
  to: Value,
  time: Value.optional().describe("Time of the payment. The wallet mode needs it."),
  direction: Value.optional().describe("`out` or `in`, for files that say so themselves."),
  failed: Value.optional().describe("`yes` for a payment that failed: its row is screened, and its payee is not paid."),
  amount: Value.optional().describe("Amount of the payment. Without an amount above 0 nothing was paid."),
});

const part = {
  title: z.string().optional(),
  envelope: z
    .array(Source)
    .min(1)
    .optional()
    .describe("Where the event is inside the record; the first that is there."),
  chain: z.string().optional().describe("The chain of rows that name none, unless --chain names another."),
  fields: Fields.optional(),
  transfer: Transfer.optional().describe("The two ends of a payment, in place of address and user_addresses."),
  ignore: z
    .array(Source)
    .optional()
    .describe("Sources that are left out on purpose. A * at the end stands for any text."),
};

const Variant = z.strictObject({ when: z.array(Source).min(1).describe("Sources that the file must have."), ...part });

/** How the fields of an event are filled from the columns of a CSV, or from another JSON. */
export const Mapping = z
  .strictObject({
    schema: z.literal(MAPPING_SCHEMA, { error: `must be ${MAPPING_SCHEMA}` }),
    about: z.string().optional(),
    source: z.string().optional().describe("Where the names of the columns are documented."),
    variants: z.array(Variant).min(1).optional().describe("Forms of the file. The first that fits is taken."),
    ...part,
  })
  .refine((mapping) => mapping.variants !== undefined || isFilling(mapping), {
    error: "needs variants, fields, transfer or envelope",
  });
export type Mapping = DeepReadonly<z.infer<typeof Mapping>>;
export type MappingPart = DeepReadonly<z.infer<typeof Variant>> | Mapping;
export type MappedValue = DeepReadonly<z.infer<typeof Value>>;
export type TransferSources = DeepReadonly<z.infer<typeof Transfer>>;

function isFilling({ fields, transfer, envelope }: { fields?: unknown; transfer?: unknown; envelope?: unknown }) {
  return fields !== undefined || transfer !== undefined || envelope !== undefined;
}

/** Every fault of a mapping, each with its path. */
export function mappingFaults(value: unknown): readonly string[] {
  const parsed = Mapping.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.map(
    ({ path, message }) => `${path.length === 0 ? "mapping" : path.join(".")}: ${message}`,
  );
}
