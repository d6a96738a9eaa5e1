import { type Log, type LogFields, quietLog } from "../../kernel/log.ts";

/** What a command says of itself while it runs: warnings and errors, for people, on a line of their own. */
export function stderrLog(stream: NodeJS.WritableStream & { readonly isTTY?: boolean }): Log {
  // A terminal's line may hold the progress.
  const clear = stream.isTTY === true ? "\r\u001b[K" : "";
  const say = (message: string, { topic, partition, reason }: LogFields = {}) => {
    const where = topic === undefined ? "" : ` (${topic}/${partition})`;
    stream.write(`${clear}weir: ${message}${where}${reason === undefined ? "" : `: ${reason}`}\n`);
  };
  return { ...quietLog, warn: say, error: say };
}
