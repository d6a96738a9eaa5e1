import { STATUS_IN_PROGRESS, STATUS_NOT_OK, STATUS_OK, SUCCESS_CODE } from "../../../api/envelope.ts";

/** The fields of an envelope that explain a missing answer, as far as they can be read. */
export interface FailureFields {
  readonly code?: string | undefined;
  readonly status?: string | undefined;
  readonly text?: string | undefined;
}

/** Most characters of a field, and of the whole text, in a verdict. Chosen. */
const MAX_FIELD = 40;
const MAX_TEXT = 200;
/** Shorter keys occur in ordinary words, and no service issues them. */
const MIN_KEY_LENGTH = 8;
/** Line breaks and other control characters, and characters that change the direction of text. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** Reads the failure in `body`, or in its `error`. Empty where the body reports no failure. */
export function failureFields(body: unknown): FailureFields {
  if (typeof body !== "object" || body === null) return {};
  const { code, status, detail, message, msg, error } = body as Readonly<Record<string, unknown>>;
  const inner = typeof error === "object" ? failureFields(error) : { text: textOf(error) };
  return {
    code: wordOf(code) ?? inner.code,
    status: wordOf(status) ?? inner.status,
    text: textOf(detail) ?? textOf(message) ?? textOf(msg) ?? inner.text,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function wordOf(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : textOf(value);
}

/** Whether an envelope reports a failure. */
export function isFailure({ code = SUCCESS_CODE, status = STATUS_OK }: FailureFields): boolean {
  return code !== SUCCESS_CODE || ![STATUS_OK, STATUS_IN_PROGRESS, STATUS_NOT_OK].includes(status);
}

/**
 * Quotes a failure, such as `422: chain_id: field required (code -1, status invalid request)`.
 *
 * @param key of the request, which is left out of the text.
 */
export function failureText(http: number, { code, status, text = status }: FailureFields, key: string): string {
  const shown = (value: string, length: number) => quotable(value, key).slice(0, length);
  const fields = [
    ...(code === undefined ? [] : [`code ${shown(code, MAX_FIELD)}`]),
    ...(status === undefined || status === text ? [] : [`status ${shown(status, MAX_FIELD)}`]),
  ];
  const quoted = `${http}: ${text === undefined ? "no readable reason" : shown(text, MAX_TEXT)}`;
  return fields.length === 0 ? quoted : `${quoted} (${fields.join(", ")})`;
}

/** The text on one line. A proxy may echo the headers of a request, and the key must not get into verdicts. */
export function quotable(text: string, key: string): string {
  const line = text.replace(CONTROL, " ").trim();
  return key.length >= MIN_KEY_LENGTH ? line.replaceAll(key, "[key]") : line;
}
