const INTERVAL_MS = 100;
const DEFAULT_COLUMNS = 80;

/** The required fields of a terminal or a file. */
export type Output = Pick<NodeJS.WriteStream, "isTTY" | "columns"> & { readonly write: (text: string) => unknown };

/** Text on a stream, and on a terminal one line below the text that shows the progress. */
export interface LiveLine {
  print(text: string): void;
  end(): void;
}

/** `line` is called ten times a second, on a terminal only. The line is cut to the width, then styled. */
export function liveLine(stream: Output, line: () => string, style: (text: string) => string): LiveLine {
  const isTerminal = stream.isTTY === true;
  const shown = () => `\r\u001b[K${style(line().slice(0, (stream.columns ?? DEFAULT_COLUMNS) - 1))}`;
  const timer = isTerminal ? setInterval(() => stream.write(shown()), INTERVAL_MS) : undefined;
  return {
    print: (text) => void stream.write(isTerminal ? `\r\u001b[K${text}\n${shown()}` : `${text}\n`),
    end() {
      clearInterval(timer);
      if (isTerminal) stream.write("\r\u001b[K");
    },
  };
}
