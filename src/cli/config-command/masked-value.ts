import { singleLine } from "../../kernel/text.ts";
import { isSecret } from "../config/env/setting-traits.ts";

const MASK = "***";
/** User name and password of a URL, and the query, where services take keys. */
const IN_URL = /(\bhttps?:\/\/)([^\s/@,]+@)?([^\s?#,]*)(\?[^\s#,]*)?/gi;

/** The value of a setting as an output may show it. Secrets are replaced, also those within URLs. */
export function maskedValue(name: string, value: string): string {
  if (isSecret(name)) return MASK;
  // A text of several lines, as of a file, is one line of the output.
  return singleLine(value.trim().replaceAll(/\s*\n\s*/g, " ")).replace(
    IN_URL,
    (_, scheme: string, user: string | undefined, rest: string, query: string | undefined) =>
      [scheme, user === undefined ? "" : `${MASK}@`, rest, query === undefined ? "" : `?${MASK}`].join(""),
  );
}
