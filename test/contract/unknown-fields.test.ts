/**
 * Fields that no table of the interface names: dropped at every level, never refused, never handed on.
 * Source: service-interface, "Solana simulation request". Inside `tron_transactions` everything is kept, since the
 * payload varies by type and is sent complete ("TRON transaction security").
 */
import { describe, expect, test } from "vitest";
import type { RouteName } from "../../src/api/routes.ts";
import { changedAt, objectPaths, shown } from "./paths.ts";
import { received } from "./recorded.ts";
import { requests } from "./samples.ts";

const places = Object.entries(requests).flatMap(([route, request]) =>
  objectPaths(request).map((at) => ({ route: route as RouteName, at, where: shown(at) || "the request" })),
);
const isForwarded = ({ at }: (typeof places)[number]) => at.length > 1 && at[0] === "tron_transactions";

const unknown = ["color", "Address", "id", "constructor", "toString", "hasOwnProperty", "__proto__", ""] as const;

describe.each(places.filter((place) => !isForwarded(place)))("in $where of $route", ({ route, at }) => {
  test.each(unknown)("a field %j is dropped", async (name) => {
    const more = changedAt(requests[route], at, (members) => [[name, "?"], ...members, [`${name}_2`, "?"]]);

    expect(await received(route, more)).toEqual(await received(route, requests[route]));
  });
});

describe.each(places.filter(isForwarded))("in $where of $route", ({ route, at }) => {
  test("a further field is kept", async () => {
    const more = changedAt(requests[route], at, (members) => [...members, ["further", { deep: ["1"] }]]);

    expect(await received(route, more)).toEqual(more);
  });
});
