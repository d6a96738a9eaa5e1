import { z } from "zod";
import { operations } from "../adapters/http/dialect.ts";
import { ownHeaders } from "../adapters/http/own-headers.ts";
import { plainWords } from "../contract/plain-words.ts";
import { API_KEY_HEADER } from "../contract/routes.ts";
import { severities } from "../events/decision.ts";
import { fail, ok, type Result } from "../kernel/result.ts";

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "must be the name of a header")
  .refine((name) => !ownHeaders.has(name.toLowerCase()), "is a header that the client writes itself");
/** Printable ASCII. Source: RFC 9110, 5.5. */
const headerValue = z.string().regex(/^[\x20-\x7E]{1,1000}$/, "must be 1 to 1000 printable characters of ASCII");

/** Without `..`, which would lead out of the base of SERVICE_URL. */
const servicePath = z
  .string()
  .regex(/^\/[\w.~/-]{0,200}$/, "must be a path that begins with /")
  .refine((text) => !text.split("/").some((part) => part === "." || part === ".."), "must not hold . or ..");

/** A dialect file: how a service differs from the interface. What it leaves out is as the interface has it. */
export const DialectFile = z
  .strictObject({
    schema: z.literal("weir.dialect/1"),
    auth: z
      .strictObject({
        header: headerName.default(API_KEY_HEADER).describe("header of the API key"),
        scheme: z
          .string()
          .regex(/^[A-Za-z0-9._-]{1,50}$/, "must be one word")
          .optional()
          .describe("word in front of the key, such as Bearer"),
      })
      .optional(),
    headers: z
      .record(headerName, headerValue)
      .optional()
      .describe("further headers of every request; their values are not secret"),
    paths: z
      .partialRecord(z.enum(operations), servicePath)
      .optional()
      .describe("path of an operation behind SERVICE_URL"),
    operations: z
      .array(z.enum(operations))
      .refine((names) => names.includes("address-poisoning"), "must name address-poisoning, which every event needs")
      .optional()
      .describe("operations that the service has; without the list all of them"),
    levels: z
      .record(z.string().regex(/^[^,=]{1,100}$/, "must be a level without comma and ="), z.enum(severities))
      .optional()
      .describe("what levels, scores and trust mean, as in SERVICE_LEVELS"),
    taxes: z.enum(["percent", "fraction"]).optional().describe("unit of taxes, as in SERVICE_TAXES"),
  })
  .meta({ id: "ServiceDialect" });
export type DialectFile = z.infer<typeof DialectFile>;

/** Names every fault with its place in the file. */
export function readDialect(value: unknown): Result<DialectFile> {
  const parsed = DialectFile.safeParse(value, { error: plainWords });
  if (parsed.success) {
    const { auth, headers = {} } = parsed.data;
    const key = (auth?.header ?? API_KEY_HEADER).toLowerCase();
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    if (names.includes(key)) return fail(`headers: name ${key}, which is the header of the key`);
    const twice = names.find((name, i) => names.indexOf(name) < i);
    return twice === undefined ? ok(parsed.data) : fail(`headers: name ${twice} twice`);
  }
  return fail(parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the file"}: ${message}`).join("; "));
}
