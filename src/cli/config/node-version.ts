const MAJOR = 22;
const MINOR = 18;

/**
 * The fault of this Node version with the remedy, or undefined when Weir runs on it. Since 22.18 Node runs TypeScript
 * files directly, and the libraries also require 22.
 */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > MAJOR || (major === MAJOR && minor >= MINOR)) return undefined;
  return (
    `needs Node ${MAJOR}.${MINOR} or later (24 recommended), this is ${version}: install Node 24 and try again, ` +
    "or use `npm run weir -- ...` in a checkout, which brings its own"
  );
}
