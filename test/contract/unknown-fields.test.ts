/**
 * Fields that no table of the interface names are dropped at every level, never refused, never forwarded. They follow
 * the section "Solana simulation request" of the service's interface. Inside `tron_transactions` all fields are kept,
 * because the payload varies by type and is sent complete (section "TRON transaction security"). Source:
 * docs/decisions/0001-open-points.md, which lists the open points of the interface.
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

describe.each(places.filter(isForwarded))("in the forwarded $where of $route", ({ route, at }) => {
  test("an unknown field is kept", async () => {
    const more = changedAt(requests[route], at, (members) => [...members, ["further", { deep: ["1"] }]]);

    expect(await received(route, more)).toEqual(more);
  });
});
