import type { TronFacts } from "../facts.ts";

/**
 * Score of a rule, on the scale of the service's interface: 1 informs and allows, 2 and 3 warn, 4 and 5 block. Source:
 * docs/decisions/0009-tron.md.
 */
export type Score = 1 | 2 | 3 | 4 | 5;

/** Returns the rule's text for the user. Undefined when the rule does not fire. */
export type TronRule = (facts: TronFacts) => string | undefined;
