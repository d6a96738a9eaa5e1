import { expectTypeOf, test } from "vitest";
import type {
  AdapterFactory,
  Answers,
  Later,
  Questions,
  VendorResponse,
} from "../../../../examples/service-adapter/weir-adapter.d.ts";
import type { AdapterContext, VendorResponse as Read } from "../../../../src/adapters/service-adapter/adapter.ts";
import type {
  AdapterPoisoningQuestion,
  PoisoningBatchQuestion,
} from "../../../../src/adapters/service-adapter/question.ts";
import type { AdapterAnswer, AdapterLater, AdapterOperation } from "../../../../src/api/schemas/adapter-answers.ts";

/** Every field at any depth is required, so that no missing field goes unnoticed. */
type Whole<T> = T extends readonly (infer E)[]
  ? Whole<E>[]
  : T extends object
    ? { [K in keyof T]-?: Whole<NonNullable<T[K]>> }
    : T;
type Fits<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Same<A, B> = Fits<A, B> extends true ? Fits<Whole<A>, Whole<B>> : false;

test("the types for authors equal the checked types", () => {
  expectTypeOf<keyof Questions>().toEqualTypeOf<AdapterOperation>();
  expectTypeOf<keyof Answers>().toEqualTypeOf<AdapterOperation>();
  expectTypeOf<{ [O in AdapterOperation]: Same<Answers[O], AdapterAnswer<O>> }>().toEqualTypeOf<
    Record<AdapterOperation, true>
  >();
  expectTypeOf<Same<Later, AdapterLater>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Questions["address-poisoning"], AdapterPoisoningQuestion>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Questions["address-poisoning-batch"], PoisoningBatchQuestion>>().toEqualTypeOf<true>();
  expectTypeOf<Same<VendorResponse, Read>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Parameters<AdapterFactory>[0], AdapterContext>>().toEqualTypeOf<true>();
});
