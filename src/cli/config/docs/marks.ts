/**
 * `page` with `printed` between the marks of `name`.
 *
 * @throws {Error} when the page lacks a mark.
 */
export function betweenMarks(page: string, name: string, printed: string): string {
  const start = `<!-- ${name}:start (printed by \`npm run docs\`) -->`;
  const end = `<!-- ${name}:end -->`;
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has lost the marks of ${name}`);
  return `${before}${start}\n\n${printed}\n\n${end}${after}`;
}
