const MAX_SHOWN = 120;

/** Error(string) and Panic(uint256), by the first four bytes of the data that a reverted call returned. */
const ERROR = "08c379a0";
const PANIC = "4e487b71";
const WORD_DIGITS = 64;

/**
 * The reason of a reverted call, where it has one. The words are the contract's own. So they are quoted, shortened, and
 * reduced to printable characters.
 */
export function revertReason(returned: string): string {
  const selector = returned.slice(0, 8);
  const words = returned.slice(8);
  if (selector === ERROR) {
    const length = Number(`0x${words.slice(WORD_DIGITS, 2 * WORD_DIGITS) || "0"}`);
    const text = words.slice(2 * WORD_DIGITS).slice(0, 2 * Math.min(length, MAX_SHOWN));
    return `the contract refuses it: "${printable(textOf(text))}"`;
  }
  if (selector === PANIC) return `the contract fails with panic 0x${words.slice(-2)}`;
  if (returned === "") return "the contract refuses it and does not say why";
  return `the contract refuses it with error 0x${selector}`;
}

/** The text of a node's message, which is hex unless the request selects text. */
export function messageText(message: unknown): string {
  if (typeof message !== "string") return "";
  return printable(/^([0-9a-f]{2})+$/.test(message) ? textOf(message) : message);
}

function textOf(hex: string): string {
  return Buffer.from(hex, "hex").toString("utf8");
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, MAX_SHOWN);
}
