/** Least, mean and most of some figures. */
export function shown(figures: readonly number[], digits: number): string {
  const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
  return [Math.min(...figures), mean, Math.max(...figures)].map((figure) => figure.toFixed(digits)).join(" ");
}
