import { expect, test } from "vitest";
import { judgeTarget, judgeToken } from "../../../../src/service/address-poisoning/judge.ts";
import { labelOf } from "../../../support/book-of.ts";

const label = labelOf("1", "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91", "exchange");
const other = labelOf("1", "0xdac17f958d2ee523a2206206994597c13d831ec7", "token");
const innocentToken = {
  listedAs: undefined,
  mimicsSystem: false,
  resembledToken: undefined,
  namedLike: undefined,
  isOriginal: false,
  isWellKnown: false,
};
const innocent = {
  listedAs: undefined,
  resemblesUser: false,
  mimicsSystem: false,
  resembledLabel: undefined,
  isOriginal: false,
};

test.each([
  [{}, { isPoisoning: false, mimicsUser: false, imitated: undefined }],
  [{ mimicsSystem: true }, { isPoisoning: true, mimicsUser: false, mimicsSystem: true, imitated: undefined }],
  [{ listedAs: "sanctioned" }, { isPoisoning: true, mimicsUser: false, listedAs: "sanctioned", imitated: undefined }],
  [{ resemblesUser: true }, { isPoisoning: true, mimicsUser: true, imitated: undefined }],
  [{ resembledLabel: label }, { isPoisoning: true, mimicsUser: false, imitated: label }],
  [
    { resembledLabel: label, isOriginal: true },
    { isPoisoning: false, mimicsUser: false, imitated: undefined },
  ],
  [
    { resembledLabel: label, isOriginal: true, resemblesUser: true },
    { isPoisoning: true, mimicsUser: true, imitated: undefined },
  ],
] as const)("the finding on a target with %j", (facts, finding) => {
  expect(judgeTarget({ ...innocent, ...facts })).toEqual({ mimicsSystem: false, listedAs: undefined, ...finding });
});

test.each([
  [{}, { isPoisoning: false, imitated: undefined }],
  [{ mimicsSystem: true }, { isPoisoning: true, mimicsSystem: true, imitated: undefined }],
  [{ listedAs: "sanctioned" }, { isPoisoning: true, listedAs: "sanctioned", imitated: undefined }],
  [{ resembledToken: label }, { isPoisoning: true, imitated: label }],
  [
    { resembledToken: label, isOriginal: true },
    { isPoisoning: false, imitated: undefined },
  ],
  [{ namedLike: label }, { isPoisoning: true, imitated: label }],
  [
    { resembledToken: label, namedLike: other },
    { isPoisoning: true, imitated: label },
  ],
  [
    { namedLike: label, isWellKnown: true },
    { isPoisoning: false, imitated: undefined },
  ],
  [
    { namedLike: label, isOriginal: true },
    { isPoisoning: true, imitated: label },
  ],
  [
    { resembledToken: label, namedLike: other, isOriginal: true },
    { isPoisoning: true, imitated: other },
  ],
] as const)("the finding on a token with %j", (facts, finding) => {
  const judged = judgeToken({ ...innocentToken, ...facts });

  expect(judged).toEqual({ mimicsSystem: false, listedAs: undefined, ...finding });
});
