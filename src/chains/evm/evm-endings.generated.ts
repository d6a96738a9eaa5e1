/** Printed by tools/refresh/refresh-endings.ts from data/*.csv as of their rows' dates: endings of tokens by chain. */
export const evmEndings: Readonly<Record<string, readonly string[]>> = {
  "56": ["4444", "8888"],
  "8453": ["cb07"],
  "146": ["3333"],
  "4663": ["1e18"],
  "59144": ["bb04"],
};
