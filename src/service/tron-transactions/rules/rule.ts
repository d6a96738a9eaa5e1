import type { TronFacts } from "../facts.ts";

/** 1 is said and allowed, 2 and 3 warn, 4 and 5 block. Source: docs/decisions/0001-open-points.md, "TRON transaction security". */
export type Score = 1 | 2 | 3 | 4 | 5;

/** What a rule says to the user about a transaction; undefined when it has nothing to say. */
export type TronRule = (facts: TronFacts) => string | undefined;
