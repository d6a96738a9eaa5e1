import { type DestinationStream, destination, pino } from "pino";
import { AppError } from "../../kernel/errors.ts";
import type { Log, LogFields } from "../../kernel/log.ts";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** A log whose level can be changed while it is written. */
export interface AdjustableLog extends Log {
  /** @returns whether there is such a level. */
  setLevel(level: string): boolean;
}

/** JSON lines on standard output, written synchronously: a buffered logger loses its last lines when the process dies. */
export function pinoLog(
  level: LogLevel,
  stream: DestinationStream = destination({ dest: 1, sync: true }),
): AdjustableLog {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  return {
    debug: (message, fields) => logger.debug(shown(fields), message),
    info: (message, fields) => logger.info(shown(fields), message),
    warn: (message, fields) => logger.warn(shown(fields), message),
    error: (message, fields) => logger.error(shown(fields), message),
    setLevel: (name) => {
      const found = logLevels.find((each) => each === name);
      if (found !== undefined) logger.level = found;
      return found !== undefined;
    },
  };
}

/** Errors are reduced to what may be shown: no request, no header, no configuration hangs off them. */
function shown(fields: LogFields = {}): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? errorOf(value) : value]),
  );
}

function errorOf(error: Error): LogFields {
  const code = error instanceof AppError ? { code: error.code, ...error.context } : {};
  return { type: error.name, message: error.message, ...code, stack: error.stack };
}
