import type { Arrivals, Enforced } from "./server.ts";

/** Width of one picture, pixels. The plot leaves room for the figures at its edges. */
const WIDTH = 760;
const HEIGHT = 220;
const LEFT = 44;
const TOP = 28;
const PLOT_WIDTH = WIDTH - LEFT - 8;
const PLOT_HEIGHT = HEIGHT - TOP - 24;
const TAKEN = "#3b7dd8";
const REFUSED = "#d8453b";
const ALLOWED = "#444444";

/**
 * One run as SVG: accepted and refused requests in each second as bars, below a line of the allowed requests a second.
 */
export function picture(name: string, enforced: Enforced, arrivals: readonly Arrivals[]): string {
  const perSecond = (1_000 * enforced.requests) / enforced.windowMs;
  const allowedAt = (second: number) =>
    perSecond * (enforced.changes.findLast(({ atSeconds }) => second >= atSeconds)?.times ?? 1);
  const most = 1.1 * Math.max(perSecond, ...arrivals.map(({ taken, refused, failed }) => taken + refused + failed));
  const x = (second: number) => (LEFT + (PLOT_WIDTH * second) / arrivals.length).toFixed(1);
  const y = (count: number) => (TOP + PLOT_HEIGHT * (1 - count / most)).toFixed(1);
  const width = (PLOT_WIDTH / arrivals.length).toFixed(2);
  const bar = (second: number, from: number, until: number, color: string) =>
    until === from
      ? ""
      : `<rect x="${x(second)}" y="${y(until)}" width="${width}" height="${((PLOT_HEIGHT * (until - from)) / most).toFixed(1)}" fill="${color}"/>`;
  const bars = arrivals.map(({ taken, failed, refused }, second) => {
    const answered = taken + failed;
    return bar(second, 0, answered, TAKEN) + bar(second, answered, answered + refused, REFUSED);
  });
  const line = arrivals.map(
    (_, second) => `${x(second)},${y(allowedAt(second))} ${x(second + 1)},${y(allowedAt(second))}`,
  );
  const title = `${name}: requests taken (blue) and refused (red) in each second, and what the quota allows (line)`;
  const text = (left: number, top: number, what: string) => `<text x="${left}" y="${top}">${what}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(LEFT, 18, title),
    ...bars,
    `<polyline points="${line.join(" ")}" fill="none" stroke="${ALLOWED}" stroke-width="1.5"/>`,
    text(4, Number(y(perSecond)) + 4, `${perSecond}/s`),
    text(LEFT, HEIGHT - 8, "0 s"),
    text(WIDTH - 48, HEIGHT - 8, `${arrivals.length} s`),
    "</svg>",
  ].join("\n");
}

/** All runs of a set on one page. */
export function report(pictures: readonly string[]): string {
  const figures = pictures.map((svg) => `<figure>${svg}</figure>`);
  return `<!doctype html>\n<meta charset="utf-8">\n<title>Quotas</title>\n${figures.join("\n")}\n`;
}
