/** `count` whole numbers in a row. */
export function numbers(count: number, from = 1): number[] {
  return Array.from({ length: count }, (_, i) => from + i);
}
