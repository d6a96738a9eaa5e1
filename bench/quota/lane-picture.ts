/** One figure over time: its value in each second, or undefined. */
export interface Series {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
  readonly color: string;
}

const WIDTH = 760;
const LEFT = 44;
const PANEL = 130;
const PLOT_WIDTH = WIDTH - LEFT - 8;
const PLOT_HEIGHT = 80;

/** Figures of one run as SVG, each in its own panel with its own scale, a bar a second. */
export function lanePicture(title: string, panels: readonly Series[]): string {
  const height = 30 + panels.length * PANEL;
  const text = (x: number, y: number, what: string) => `<text x="${x}" y="${y}">${what}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(LEFT, 18, title),
    ...panels.map((series, at) => panel(series, 30 + at * PANEL)),
    "</svg>",
  ].join("\n");
}

function panel({ name, values, color }: Series, top: number): string {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const base = top + 20 + PLOT_HEIGHT;
  const width = (PLOT_WIDTH / values.length).toFixed(2);
  const bars = values.map((value = 0, second) => {
    const tall = (PLOT_HEIGHT * value) / most;
    const x = (LEFT + (PLOT_WIDTH * second) / values.length).toFixed(1);
    return `<rect x="${x}" y="${(base - tall).toFixed(1)}" width="${width}" height="${tall.toFixed(1)}" fill="${color}"/>`;
  });
  return [
    `<text x="${LEFT}" y="${top + 12}">${name}</text>`,
    `<text x="4" y="${top + 28}">${Number(most.toPrecision(3))}</text>`,
    ...bars,
    `<line x1="${LEFT}" y1="${base}" x2="${LEFT + PLOT_WIDTH}" y2="${base}" stroke="#444444"/>`,
    `<text x="${WIDTH - 48}" y="${base + 16}">${values.length} s</text>`,
  ].join("\n");
}
