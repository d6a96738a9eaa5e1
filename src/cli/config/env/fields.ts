import { z } from "zod";
import { parseServiceLevels } from "../../../worker/answers/service-scales.ts";

/** Types of the values of variables. Each reads a text; durations are milliseconds. */

export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);
export const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "must be a whole number of at least 1 and at most nine digits")
  .transform(Number);
export const count = (fallback: number) => wholeNumber.prefault(String(fallback));
/** A count in a range. */
export const boundedCount = (fallback: number, { least, most }: { readonly least: number; readonly most: number }) => {
  const rule = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^[1-9]\d{0,9}$/, rule)
    .transform(Number)
    .pipe(z.number().min(least, rule).max(most, rule))
    .prefault(String(fallback));
};
const WEIGHT_RULE = "must look like exchange=3,otc=0.5, each of 0.01 to 1000";

/** A decimal number in a range. */
export const decimal = (fallback: string, { least, most }: { readonly least: number; readonly most: number }) => {
  const rule = `must be a number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,4}(\.\d{1,3})?$/, rule)
    .transform(Number)
    .pipe(z.number().min(least, rule).max(most, rule))
    .prefault(fallback);
};

/** A larger ratio of weights would starve tenants. */
const tenantWeight = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,3})?$/, WEIGHT_RULE)
  .transform(Number)
  .pipe(z.number().min(0.01, WEIGHT_RULE).max(1_000, WEIGHT_RULE));
export const tenantWeights = list
  .transform((items) =>
    items.map((item) => [item.slice(0, item.lastIndexOf("=")).trim(), item.slice(item.lastIndexOf("=") + 1).trim()]),
  )
  .pipe(z.array(z.tuple([z.string().min(1, WEIGHT_RULE), tenantWeight])))
  .transform((rows): ReadonlyMap<string, number> => new Map(rows))
  .prefault("");

const LOSS_RULE = "must look like 0:3-99,2:500-612: a partition, and the first and the last offset that are lost";
const OFFSET = "(0|[1-9]\\d{0,14})";
/** Ranges of offsets, both ends included. */
export const losses = list
  .transform((items) =>
    items.map((item) => new RegExp(`^${OFFSET}:${OFFSET}-${OFFSET}$`).exec(item)?.slice(1).map(Number)),
  )
  .pipe(z.array(z.tuple([z.number(), z.number(), z.number()], { error: LOSS_RULE })))
  .transform((rows) => rows.map(([partition, from, until]) => ({ partition, from, until })))
  .refine((rows) => rows.every(({ from, until }) => from <= until), LOSS_RULE)
  .prefault("");

const milliseconds = (text: string) =>
  Number.parseInt(text, 10) * (text.endsWith("ms") ? 1 : text.endsWith("min") ? 60_000 : 1_000);

export const duration = (fallback: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}(ms|s|min)$/, "must look like 500ms, 30s or 2min")
    .transform(milliseconds)
    .prefault(fallback);

/** A duration of hours or days. @param fallback such as `7d`. */
export const longDuration = (fallback: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,4}(h|d)$/, "must look like 12h or 7d")
    .transform((text) => Number.parseInt(text, 10) * (text.endsWith("d") ? 86_400_000 : 3_600_000))
    .prefault(fallback);

export const MINUTE_MS = 60_000;

/** A duration in a range from 0, which means none. @param fallbackMs whole minutes, as is `mostMs`. */
export const age = (fallbackMs: number, mostMs: number) => {
  const rule = `must look like 500ms, 30s or 2min, or be 0, and be at most ${mostMs / MINUTE_MS}min`;
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,8}(ms|s|min))$/, rule)
    .transform(milliseconds)
    .pipe(z.number().max(mostMs, rule))
    .prefault(`${fallbackMs / MINUTE_MS}min`);
};

export const portNumber = z
  .string()
  .regex(/^\d+$/, "must be a port number")
  .transform(Number)
  .pipe(z.number().max(65_535));
export const port = (fallback: string) => portNumber.prefault(fallback);

export const flagOr = (fallback: "true" | "false") =>
  z
    .enum(["true", "false"])
    .default(fallback)
    .transform((text) => text === "true");
export const flag = flagOr("false");

/** The meaning of a service's levels and scores, such as `low=INFO,70-100=BLOCK`. */
export const serviceLevels = z
  .string()
  .transform((text, context) => {
    const read = parseServiceLevels(text);
    if (read.ok) return read.value;
    context.addIssue({ code: "custom", message: read.detail });
    return z.NEVER;
  })
  .prefault("");
