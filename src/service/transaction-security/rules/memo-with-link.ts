import type { Finds } from "./rule.ts";

const link = /https?:\/\/|www\.|t\.me\//i;

/** T13: who signs an advertisement signs what a site made for him. */
export const memoWithLink: Finds = ({ memo }) => (link.test(memo) ? "the memo holds a link to a web site" : undefined);
