import { type Log, type LogFields, quietLog } from "../../kernel/log.ts";

/** A log for warnings and errors of a command: each is a line of text on `stream`. */
export function stderrLog(stream: NodeJS.WritableStream & { readonly isTTY?: boolean }): Log {
  // The terminal's current line may show the progress.
  const clear = stream.isTTY === true ? "\r\u001b[K" : "";
  const say = (message: string, { topic, partition, reason }: LogFields = {}) => {
    const where = topic === undefined ? "" : ` (${topic}/${partition})`;
    stream.write(`${clear}weir: ${message}${where}${reason === undefined ? "" : `: ${reason}`}\n`);
  };
  return { ...quietLog, warn: say, error: say };
}
