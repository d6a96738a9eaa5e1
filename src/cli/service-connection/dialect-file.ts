import { z } from "zod";
import { ownHeaders } from "../../adapters/http/service/own-headers.ts";
import { operations } from "../../api/operations.ts";
import { misnamedAmong } from "../../api/requests/misnamed-field.ts";
import { plainWords } from "../../api/requests/plain-words.ts";
import { misnamedText } from "../../api/requests/request.ts";
import { shortName } from "../../api/requests/short-name.ts";
import { API_KEY_HEADER } from "../../api/routes.ts";
import { MAX_BATCH_ITEMS } from "../../api/schemas/address-poisoning.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import { severities } from "../../messages/decision.ts";
import { chainFaults } from "./dialect-chains.ts";

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "must be the name of a header")
  .refine((name) => !ownHeaders.has(name.toLowerCase()), "is a header that the client writes itself");
/** Printable ASCII. Source: RFC 9110, 5.5. */
const headerValue = z.string().regex(/^[\x20-\x7E]{1,1000}$/, "must be 1 to 1000 printable characters of ASCII");

/** Without `..`, which would lead out of the base path of SERVICE_URL. */
const servicePath = z
  .string()
  .regex(/^\/[\w.~/-]{0,200}$/, "must be a path that begins with /")
  .refine((text) => !text.split("/").some((part) => part === "." || part === ".."), "must not hold . or ..");

/** Sent as text, as in the interface. Only characters that are safe in queries and in front of addresses. */
const WORD_RULE = "must be a word of 1 to 64 letters, digits and . : - _, or a whole number";
const chainWord = z.union([z.string().regex(/^[\w.:-][\w.: -]{0,63}$/, WORD_RULE), z.int().nonnegative()], {
  error: WORD_RULE,
});

/** Fewest entries of a batch: a question with a token needs this many. */
const LEAST_ITEMS = 3;
/** The interface has no limit. Chosen: far above the use of one request. */
const MAX_TRANSACTIONS = 1_000;

/** A dialect file: the differences between a service and the interface. A missing field stays as in the interface. */
export const DialectFile = z
  .strictObject({
    schema: z.literal("weir.dialect/1"),
    auth: z
      .strictObject({
        header: headerName.default(API_KEY_HEADER).describe("Header of the API key."),
        scheme: z
          .string()
          .regex(/^[A-Za-z0-9._-]{1,50}$/, "must be one word")
          .optional()
          .describe("Word in front of the key, such as Bearer."),
      })
      .optional(),
    headers: z
      .record(headerName, headerValue)
      .optional()
      .describe("Further headers of every request. The values are not secret."),
    paths: z
      .partialRecord(z.enum(operations), servicePath)
      .optional()
      .describe("Path of an operation behind SERVICE_URL."),
    operations: z
      .array(z.enum(operations))
      .refine((names) => names.includes("address-poisoning"), "must name address-poisoning, which every event needs")
      .optional()
      .describe("Operations of the service. Without the list, the service has all operations."),
    levels: z
      .record(z.string().regex(/^[^,=]{1,100}$/, "must be a level without comma and ="), z.enum(severities))
      .optional()
      .describe("Severities of levels, scores and trust, as in SERVICE_LEVELS."),
    taxes: z.enum(["percent", "fraction"]).optional().describe("Unit of taxes, as in SERVICE_TAXES."),
    chains: z
      .record(z.string(), chainWord)
      .optional()
      .describe("Word of the service for a chain, by the id or the name of the chain. Other chains keep their ids."),
    limits: z
      .strictObject({
        items: z
          .int()
          .min(LEAST_ITEMS, `must be at least ${LEAST_ITEMS}: a user, a target and a token`)
          .max(MAX_BATCH_ITEMS, `must be at most ${MAX_BATCH_ITEMS}, which is the limit of the interface`)
          .optional()
          .describe("Most users, targets and tokens together in one address-poisoning request."),
        transactions: z
          .int()
          .min(1)
          .max(MAX_TRANSACTIONS)
          .optional()
          .describe("Most transactions in one solana-emulate request."),
      })
      .optional()
      .describe("Limits of one request."),
  })
  .meta({ id: "ServiceDialect" });
export type DialectFile = z.infer<typeof DialectFile>;

/** Reads a dialect. A failure names every fault with its position in the file. */
export function readDialect(value: unknown): Result<DialectFile> {
  const parsed = DialectFile.safeParse(value, { error: plainWords });
  if (!parsed.success) return fail(parsed.error.issues.map(faultOf).join("; "));
  const faults = [...headerFaults(parsed.data), ...chainFaults(parsed.data.chains ?? {})];
  return faults.length === 0 ? ok(parsed.data) : fail(faults.join("; "));
}

function headerFaults({ auth, headers = {} }: DialectFile): readonly string[] {
  const key = (auth?.header ?? API_KEY_HEADER).toLowerCase();
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (names.includes(key)) return [`headers: name ${key}, which is the header of the key`];
  const twice = names.find((name, i) => names.indexOf(name) < i);
  return twice === undefined ? [] : [`headers: name ${twice} twice`];
}

/** Fields of each object of the file, by its position. */
const fields: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(DialectFile.shape),
  auth: Object.keys(DialectFile.shape.auth.unwrap().shape),
  limits: Object.keys(DialectFile.shape.limits.unwrap().shape),
  paths: operations,
};

function faultOf(issue: z.core.$ZodIssue): string {
  const { path, message } = issue;
  const unknown = issue.code === "unrecognized_keys" ? issue.keys : [];
  const at = path.join(".");
  if (unknown.length > 0) return `${at || "the file"}: ${unknownFields(unknown, fields[at] ?? [])}`;
  const [parent, key] = path;
  if (issue.code === "invalid_key" && parent === "paths" && key !== undefined)
    return `paths: ${unknownFields([String(key)], operations)}`;
  return `${at || "the file"}: ${message}`;
}

/** Each unknown field with the field that was probably meant, or with all known fields. */
function unknownFields(names: readonly string[], known: readonly string[]): string {
  const misnamed = misnamedAmong(known);
  const told = names.map((name) => {
    const slip = misnamed([name]);
    return slip === undefined ? `${shortName(name)}: unknown field; it has ${known.join(", ")}` : misnamedText(slip);
  });
  return told.join("; ");
}
