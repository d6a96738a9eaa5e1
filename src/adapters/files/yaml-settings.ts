import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";

/** A value of a file of settings. Scalars keep their text: `012` stays 012, and `yes` stays yes. */
export type YamlValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "map"; readonly fields: ReadonlyMap<string, string> }
  | { readonly kind: "none" }
  | { readonly kind: "other" };

export interface YamlEntry {
  readonly key: string;
  readonly value: YamlValue;
  /** Counted from 1, as is the column. */
  readonly line: number;
  readonly column: number;
}

export interface YamlFault {
  readonly line: number;
  readonly column: number;
  readonly detail: string;
}

export interface YamlSettings {
  readonly entries: readonly YamlEntry[];
  readonly faults: readonly YamlFault[];
}

/**
 * Reads a YAML mapping of settings, with the position of each entry. Anchors, aliases and tags are refused: settings
 * need none, and aliases can expand a few lines to any size.
 */
export function parseYamlSettings(text: string): YamlSettings {
  const counter = new LineCounter();
  const document = parseDocument(text, { schema: "failsafe", lineCounter: counter, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const faults = [...document.errors, ...document.warnings].map(
    ({ pos: [offset], message }): YamlFault => ({ ...at(offset), detail: message }),
  );
  const { contents } = document;
  if (faults.length > 0 || contents === null || (isScalar(contents) && contents.value === ""))
    return { entries: [], faults };
  if (!isMap(contents))
    return { entries: [], faults: [{ line: 1, column: 1, detail: "the file must hold NAME: value lines" }] };
  const entries = contents.items.map(({ key, value }): YamlEntry => {
    const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
    return { ...at(offset), key: isScalar(key) ? String(key.value) : "", value: readValue(value) };
  });
  return { entries, faults };
}

function readValue(node: unknown): YamlValue {
  const text = textOf(node);
  if (text !== undefined) return { kind: "text", text };
  if (node === null) return { kind: "none" };
  if (isScalar(node)) return { kind: node.anchor === undefined ? "none" : "other" };
  if (isSeq(node)) {
    const items = node.items.map(textOf);
    return items.every((item) => item !== undefined) ? { kind: "list", items } : { kind: "other" };
  }
  if (isMap(node) && !isAlias(node)) {
    const fields = node.items.map(({ key, value }) => [textOf(key), textOf(value)] as const);
    const whole = fields.flatMap(([key, value]) =>
      key === undefined || value === undefined ? [] : [[key, value] as const],
    );
    return whole.length === fields.length ? { kind: "map", fields: new Map(whole) } : { kind: "other" };
  }
  return { kind: "other" };
}

/** The text of a scalar; undefined for null, for an empty value and for anything else. */
function textOf(node: unknown): string | undefined {
  if (!isScalar(node) || node.anchor !== undefined) return undefined;
  const text = String(node.value ?? "");
  const isNull = node.type === "PLAIN" && /^(~|null|Null|NULL)$/.test(text);
  return text === "" || isNull ? undefined : text;
}
