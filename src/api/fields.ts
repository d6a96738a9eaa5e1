import { z } from "zod";
import { isRawNumber, type RawNumber } from "../kernel/json.ts";

/** Verdict flags are the strings "0" and "1". "0" means only that no configured signal was detected. */
export const Flag = z.enum(["0", "1"]);
export type Flag = z.infer<typeof Flag>;

/** A chain id as text. Source: docs/decisions/0001-open-points.md, "Conventions". */
export const ChainIdText = z
  .string()
  .describe("Chain id as decimal text, or a supported alias such as eth, tron, solana.");

const NOT_A_CHAIN_ID = "must be a string or a non-negative integer";

/** A non-negative integer of any size, without a fraction: 1.0 and 1e0 are 1. */
const ChainNumber = z.custom<RawNumber | number>((value) => chainNumberText(value) !== undefined, {
  error: NOT_A_CHAIN_ID,
});

/** The address-poisoning endpoints also accept a JSON number, which becomes its text. */
export const ChainId = z
  .union([z.string(), ChainNumber], { error: NOT_A_CHAIN_ID })
  .transform((id) => (typeof id === "string" ? id : (chainNumberText(id) ?? "")))
  .describe("Chain id as text or as a JSON number, or a supported alias such as eth, tron, solana.");

/** The decimal text of a number that can be a chain id, with every digit of an exactly read number. */
function chainNumberText(value: unknown): string | undefined {
  const text = isRawNumber(value) ? value.rawJSON : typeof value === "number" ? String(value) : "";
  if (/^\d+$/.test(text)) return text;
  // A number that only rounds to an integer is refused: 1e-400 is not 0.
  const number = /^\d+(\.0+)?([eE]\+?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isInteger(number) ? String(BigInt(number)) : undefined;
}

/** An integer beyond 2^53. When JavaScript would write the same text, it is a plain number. */
const LargeInteger = z.custom<RawNumber | number>((value) => {
  const text = isRawNumber(value) ? value.rawJSON : typeof value === "number" ? String(value) : "";
  return /^\d+$/.test(text);
});

/**
 * A non-negative integer of any size: a JSON number, the exact text of a number beyond 2^53, or a string of decimal
 * digits. Hexadecimal is refused. Source: docs/decisions/0001-open-points.md, "TRON transaction security".
 */
export const Decimal = z.union(
  [
    z.number().int().min(0, "must be a decimal integer"),
    z.string().regex(/^\d{1,78}$/, "must be a decimal integer"),
    LargeInteger,
  ],
  {
    error: "must be a decimal integer",
  },
);
export type Decimal = z.infer<typeof Decimal>;

/** 32-byte permission bitmap: 64 hex digits, or Base64 of 32 bytes. */
export const OperationsBitmap = z
  .string()
  .regex(/^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=?)$/, "must be a 32-byte bitmap in hex or Base64");

/** Options of `z.toJSONSchema` that describe an integer beyond 2^53 as an integer, where the default is no type. */
export const integersAsText = {
  unrepresentable: "any",
  override: ({ zodSchema, jsonSchema }) => {
    if (zodSchema._zod.def.type === "custom") Object.assign(jsonSchema, { type: "integer", minimum: 0 });
  },
} as const satisfies Parameters<typeof z.toJSONSchema>[1];
