/** What LOG_LEVEL may be. By itself: every command knows the variables of all, and few write a log. */
export const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];
