const BETWEEN = " · ";

/**
 * A progress line of at most `columns` characters. Parts in the middle go first: the count at its beginning and the
 * remaining time at its end say most.
 */
export function fitted(line: string, columns: number): string {
  const parts = line.split(BETWEEN);
  while (parts.length > 2 && parts.join(BETWEEN).length > columns) parts.splice(-2, 1);
  const text = parts.join(BETWEEN);
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}
