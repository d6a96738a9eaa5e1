/**
 * The number of bundled tokens with a name that counts as another token's: `node bench/token-names.ts`.
 *
 * Each name is tried on its token's own chain with its label (`flagged`) and without it (`alike`). It is also tried on
 * each other chain of bundled tokens on which no token has it (`strangers`).
 */

import { LabelFiles } from "../src/adapters/files/labels/label-files.ts";
import { bundled } from "../src/cli/program/package-root.ts";
import { gatherToken } from "../src/service/address-poisoning/gather.ts";
import { judgeToken } from "../src/service/address-poisoning/judge.ts";
import { LabelBook } from "../src/service/labels/label-book.ts";

const lists = await new LabelFiles(bundled.labels, bundled.labels).load();
const book = LabelBook.of(lists);
const tokens = lists.flatMap(({ labels }) => [...labels].flatMap((label) => (label.kind === "token" ? [label] : [])));
const named = tokens.flatMap((token) =>
  [token.name, token.fullName ?? ""].filter((name) => name !== "").map((name) => ({ token, name })),
);
const own = [
  ...new Map(named.map((each) => [`${each.token.chain.id} ${each.token.address} ${each.name}`, each])).values(),
];
const flagged = own.filter(({ token, name }) => judgeToken(gatherToken(token, book, [name])).isPoisoning);
const alike = own.filter(({ token, name }) => {
  const like = book.tokenNamedLike(token.chain, [name]);
  return like !== undefined && like.address !== token.address;
});

const chains = [...new Map(tokens.map(({ chain }) => [chain.id, chain])).values()];
const names = [...new Set(named.map(({ name }) => name))];
const known = new Set(named.map(({ token, name }) => `${token.chain.id} ${name}`));
const elsewhere = chains.flatMap((chain) => names.map((name) => ({ chain, name })));
const tried = elsewhere.filter(({ chain, name }) => !known.has(`${chain.id} ${name}`));
const strangers = tried.filter(({ chain, name }) => book.tokenNamedLike(chain, [name]) !== undefined);

console.log({
  tokens: new Set(tokens.map(({ chain, address }) => `${chain.id} ${address}`)).size,
  names: own.length,
  flagged: flagged.length,
  alike: alike.length,
  tried: tried.length,
  strangers: strangers.length,
});
