import type { TronRule } from "./rule.ts";

/** A harmful call can hide behind a thousand harmless ones. */
export const tooManyCalls: TronRule = ({ calls, contract }) =>
  calls?.call.is === "other" && calls.isCut
    ? `holds more calls of ${contract?.address} than were looked at`
    : undefined;
