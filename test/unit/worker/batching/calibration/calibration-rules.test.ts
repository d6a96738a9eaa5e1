import { expect, test } from "vitest";
import { parseAddress } from "../../../../../src/chains/address.ts";
import { formatOf } from "../../../../../src/chains/address-format.ts";
import { overlap } from "../../../../../src/chains/lookalike.ts";
import { calibrationOf, probesOf } from "../../../../../src/worker/batching/calibration/calibration-rules.ts";
import { canaryPairs } from "../../../../../src/worker/batching/calibration/canary-pairs.generated.ts";
import { batchPositions } from "../../../../../src/worker/batching/canary.ts";
import { SimilarUsers } from "../../../../../src/worker/batching/queue/similar-users.ts";

const formats = new Map(
  canaryPairs.map(({ family, target }) => {
    const parsed = parseAddress(family, target);
    if (!parsed.ok) throw new Error(parsed.detail);
    return [formatOf(family, parsed.value), family] as const;
  }),
);

test("each address format has probes, and every generated pair belongs to a probe", () => {
  const probes = [...formats].flatMap(([format, family]) => probesOf(family, format));

  expect(formats.size).toBe(5);
  expect(probes.flatMap((probe) => batchPositions.map((place) => probe[place].target)).toSorted()).toEqual(
    canaryPairs.map(({ target }) => target).toSorted(),
  );
});

test("each target of a probe imitates only its own user, by the shape of the probe", () => {
  for (const [format, family] of formats) {
    for (const probe of probesOf(family, format)) {
      for (const place of batchPositions) {
        const { user, target } = probe[place];
        const others = new SimilarUsers(family, () => calibrationOf(probe, family, format));
        for (const other of batchPositions) if (other !== place) others.add(probe[other].user);

        expect(overlap(family, user, target)).toMatchObject(probe.shape);
        expect([others.has(user), others.has(target)]).toEqual([false, false]);
      }
    }
  }
});
