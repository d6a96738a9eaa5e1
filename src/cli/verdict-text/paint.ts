import type { Decision } from "../../messages/decision.ts";

/** Text styles. On a stream that is no terminal they do nothing. */
export interface Paint {
  readonly decision: (decision: Decision, text: string) => string;
  readonly marked: (text: string) => string;
  readonly dim: (text: string) => string;
}

const codes = { ALLOW: 32, WARN: 33, UNKNOWN: 35, BLOCK: 31 } as const satisfies Record<Decision, number>;

/** Text without styles. */
export const plainPaint: Paint = { decision: (_decision, text) => text, marked: (text) => text, dim: (text) => text };

/** Styles for a terminal, unless its user disables them (no-color.org). @param color false for --no-color. */
export function paintFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  color = true,
): Paint {
  if (stream.isTTY !== true || !color || (env["NO_COLOR"] ?? "") !== "") return plainPaint;
  const sgr = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
  return { decision: (decision, text) => sgr(codes[decision])(text), marked: sgr(1), dim: sgr(2) };
}
