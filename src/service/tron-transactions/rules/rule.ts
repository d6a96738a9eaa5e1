import type { ScoredRule } from "../../rules/rule-engine.ts";
import type { TronFacts } from "../facts.ts";

/** Returns the rule's text for the user. Undefined when the rule does not fire. */
export type TronRule = ScoredRule<TronFacts>["finds"];
