import { z } from "zod";
import { isRawNumber, type RawNumber } from "../kernel/json.ts";

/** Verdict flags travel as the strings "0" and "1"; "0" means only that no configured signal was detected. */
export const Flag = z.enum(["0", "1"]);
export type Flag = z.infer<typeof Flag>;

/** A chain id as text. Source: service-interface, "Conventions". */
export const ChainIdText = z
  .string()
  .describe("chain id as decimal text, or a supported alias such as eth, tron, solana");

/** The address-poisoning endpoints also take a JSON number; it becomes its text. */
export const ChainId = z
  .union([z.string(), z.number().int()], { error: "must be a string or an integer" })
  .transform(String)
  .describe("chain id as text or as a JSON number, or a supported alias such as eth, tron, solana");

/** One beyond 2^53; where its text is what JavaScript would write too, it is a plain number. */
const LargeInteger = z.custom<RawNumber | number>((value) => {
  const text = isRawNumber(value) ? value.rawJSON : typeof value === "number" ? String(value) : "";
  return /^\d+$/.test(text);
});

/**
 * A non-negative integer of any size: a JSON number, the exact text of one beyond 2^53, or a string of decimal digits.
 * Hexadecimal is refused. Source: service-interface, "TRON transaction security".
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
