import { z } from "zod";
import { STATUS_IN_PROGRESS, STATUS_NOT_OK, STATUS_OK, SUCCESS_CODE } from "../../contract/envelope.ts";
import { FailureBody, failures } from "../../contract/failures.ts";

/** The fields of an envelope that say why there is no answer, as far as they can be read. */
export interface FailureSaid {
  readonly code?: string | undefined;
  readonly status?: string | undefined;
  readonly text?: string | undefined;
}

/** What goes into a verdict of a field and of the whole, characters. Chosen. */
const MAX_FIELD = 40;
const MAX_TEXT = 200;
/** Shorter keys occur in ordinary words, and no service gives them out. */
const MIN_KEY_LENGTH = 8;
/** Line breaks and other control characters, and those that change the direction of text. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

const word = z
  .union([z.string(), z.number()])
  .optional()
  .transform((value) => (value === undefined ? undefined : String(value)));
const Said = z.object({ ...FailureBody.partial().shape, code: word, status: word });

/** Reads the failure that `body` tells of; empty where it tells of none. */
export function failureSaid(body: unknown): FailureSaid {
  const { data } = Said.safeParse(body);
  return { code: data?.code, status: data?.status, text: data?.detail ?? data?.message };
}

/** Whether an envelope says that it holds no answer. */
export function isFailure({ code = SUCCESS_CODE, status = STATUS_OK }: FailureSaid): boolean {
  return code !== SUCCESS_CODE || ![STATUS_OK, STATUS_IN_PROGRESS, STATUS_NOT_OK].includes(status);
}

/** Whether `code` or `status` says that requests come too fast. Free text may quote what was asked, so it does not count. */
export function saysTooMany({ code = "", status = "" }: FailureSaid): boolean {
  const isTooMany = /too[ _-]?many[ _-]?requests|rate[ _-]?limit|throttl/i;
  return code === failures.rateLimited.code || isTooMany.test(code) || isTooMany.test(status);
}

/**
 * Quotes a failure, such as `422: chain_id: field required (code -1, status invalid request)`.
 *
 * @param key what the request carried, which is left out.
 */
export function failureText(http: number, { code, status, text = status }: FailureSaid, key: string): string {
  const shown = (value: string, length: number) => quotable(value, key).slice(0, length);
  const fields = [
    ...(code === undefined ? [] : [`code ${shown(code, MAX_FIELD)}`]),
    ...(status === undefined || status === text ? [] : [`status ${shown(status, MAX_FIELD)}`]),
  ];
  const quoted = `${http}: ${text === undefined ? "no readable reason" : shown(text, MAX_TEXT)}`;
  return fields.length === 0 ? quoted : `${quoted} (${fields.join(", ")})`;
}

/** The text on one line. A proxy that echoes the headers of a request must not bring the key into verdicts. */
export function quotable(text: string, key: string): string {
  const line = text.replace(CONTROL, " ").trim();
  return key.length >= MIN_KEY_LENGTH ? line.replaceAll(key, "[key]") : line;
}
