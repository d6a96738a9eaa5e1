/** The part of a query that can be checked without a parser: its metrics, and the labels of their selectors. */
export interface Selector {
  readonly metric: string;
  /** Label -> the texts that it is compared with. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
}

const words = new Set([
  "by",
  "without",
  "on",
  "ignoring",
  "group_left",
  "group_right",
  "and",
  "or",
  "unless",
  "bool",
  "offset",
]);

/** Every metric of a query, in any expression. */
export function selectorsIn(query: string): readonly Selector[] {
  // Lists of labels name no metric, and neither does a range.
  const plain = query
    .replaceAll(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, " ")
    .replaceAll(/\[[^\]]*\]/g, " ")
    .replaceAll(/\boffset\s+\w+/g, " ");
  const found = plain.matchAll(/([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?(\s*\()?/g);
  const selectors: Selector[] = [];
  for (const [, metric = "", matchers = "", call] of found) {
    if (call !== undefined || words.has(metric)) continue;
    selectors.push({ metric, labels: labelsIn(matchers) });
  }
  return selectors;
}

function labelsIn(matchers: string): Record<string, readonly string[]> {
  const found = matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g);
  return Object.fromEntries(
    Array.from(found, ([, label = "", operator, text = ""]) => [
      label,
      operator?.endsWith("~") ? text.split("|") : [text],
    ]),
  );
}
