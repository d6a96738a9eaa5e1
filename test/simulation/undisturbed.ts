import type { Scenario } from "./scenario.ts";

/** A scenario without random faults. A scenario that spreads this object adds its own faults. */
export const undisturbed = {
  faults: { limited: 0, failing: 0, hanging: 0, mixedUp: 0, itemError: 0, deafToCanaries: 0 },
  limit: undefined,
  isLimitKnown: true,
  bounds: { events: 1_000, span: 1_000, bytes: 800_000 },
  revocations: [],
  outages: [],
  wallSteps: [],
  deaths: [],
  stops: [],
  diskFails: 0,
} satisfies Partial<Scenario>;
