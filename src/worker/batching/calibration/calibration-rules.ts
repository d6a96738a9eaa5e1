import { type CanonicalAddress, parseAddress } from "../../../chains/address.ts";
import { type AddressFormat, formatOf, type Shape } from "../../../chains/address-format.ts";
import type { Chain, Family } from "../../../chains/chain.ts";
import { overlap } from "../../../chains/lookalike.ts";
import { lazy } from "../../../kernel/collections.ts";
import { refuseErrors } from "../../answers/service-errors.ts";
import type { SecurityService } from "../../ports.ts";
import { expectEcho } from "../ask-alone.ts";
import { type BatchPosition, batchPositions, type Calibration, type CanaryPair, type CanaryPairs } from "../canary.ts";
import { canaryPairs } from "./canary-pairs.generated.ts";

export interface CalibrationProbe extends CanaryPairs {
  readonly shape: Shape;
  readonly bits: number;
}

/**
 * Artificial pairs for each shape of a format and for one character less, fewest shared characters first. Rare shapes
 * are not tried. Each would cost one or two requests, and a service that flags only those flags next to nothing.
 */
export function probesOf(family: Family, format: AddressFormat): readonly CalibrationProbe[] {
  return probesByFormat[family]().get(format) ?? fail(family);
}

/**
 * Requests of a calibration at a service that flags the format's own shapes and nothing looser. Each weaker probe takes
 * one request. Each pair of the flagged probe takes one request with its user and one without.
 */
export function calibrationRequests(family: Family, format: AddressFormat): number {
  const isOwn = ({ prefix, suffix }: Shape) =>
    format.shapes.some((shape) => prefix >= shape.prefix && suffix >= shape.suffix);
  return probesOf(family, format).findIndex(({ shape }) => isOwn(shape)) + 2 * batchPositions.length;
}

/**
 * Most requests of a calibration at a service that flags no probe, or every probe. The first pair of each probe is sent
 * with its user. If it is flagged, it is sent again without its user. A service that flags no probe takes half of this
 * number.
 */
export function failedCalibrationRequests(family: Family, format: AddressFormat): number {
  return 2 * probesOf(family, format).length;
}

/** From this number of entries on, one request per entry costs more than a calibration and one shared request. */
export function calibrationPaysFrom(family: Family, format: AddressFormat): number {
  return calibrationRequests(family, format) + 2;
}

/**
 * Whether the service flags a target as a lookalike in a single request, with this user or without a user. A canary
 * must be flagged with its user and must not be flagged without a user. A target that is flagged beside any user proves
 * nothing.
 *
 * @throws the error of the service, and {AnswerInvalidError} for an answer about another address.
 */
export async function isFlaggedAlone(
  chain: Chain,
  { user, target }: { readonly user?: CanonicalAddress; readonly target: CanonicalAddress },
  service: SecurityService,
  signal: AbortSignal,
): Promise<boolean> {
  const who = user === undefined ? {} : { user_address: user };
  const answer = await service.ask("poisoningSingle", { chain_id: chain.id, address: target, ...who }, signal);
  refuseErrors(answer, answer.data, answer.data.target_address);
  expectEcho(chain, answer.data.target_address_input, target);
  const { is_poisoning, mimics_user } = answer.data.target_address;
  return is_poisoning === "1" || mimics_user === "1";
}

/**
 * The weakest flagged pair becomes the canary, because it is the first to fall silent when the service weakens. Users
 * are kept apart by every shape that was tried, flagged or not. That costs next to nothing.
 */
export function calibrationOf(
  weakest: CalibrationProbe | undefined,
  family: Family,
  format: AddressFormat,
): Calibration {
  const shapes = probesOf(family, format).map(({ shape }) => shape);
  return { canaries: weakest, flaggedShapes: shapes };
}

/**
 * Each family's pairs are parsed on first use. To check all those addresses takes longer than anything else at a start.
 */
const probesByFormat: Readonly<Record<Family, () => ReadonlyMap<AddressFormat, readonly CalibrationProbe[]>>> = {
  evm: lazy(() => probesIn("evm")),
  tron: lazy(() => probesIn("tron")),
  solana: lazy(() => probesIn("solana")),
  bitcoin: lazy(() => probesIn("bitcoin")),
};

function probesIn(family: Family): ReadonlyMap<AddressFormat, readonly CalibrationProbe[]> {
  const rows = canaryPairs.filter((row) => row.family === family && row.place === "front");
  return Map.groupBy(
    rows.map(probeOf).toSorted((a, b) => a.bits - b.bits),
    ({ format }) => format,
  );
}

function probeOf(row: (typeof canaryPairs)[number]): CalibrationProbe & { format: AddressFormat } {
  const { family, prefix, suffix } = row;
  const format = formatOfRow(row);
  const isLike = (other: typeof row) =>
    other.family === family && other.prefix === prefix && other.suffix === suffix && formatOfRow(other) === format;
  const pairAt = (place: BatchPosition) => {
    const pair = canaryPairs.find((other) => other.place === place && isLike(other));
    if (pair === undefined) throw new Error(`a canary of ${family} has no pair for the ${place}`);
    return pairOf(pair);
  };
  const front = pairOf(row);
  const { bits } = overlap(family, front.user, front.target);
  return { format, front, middle: pairAt("middle"), back: pairAt("back"), shape: { prefix, suffix }, bits };
}

function formatOfRow({ family, target }: (typeof canaryPairs)[number]): AddressFormat {
  return formatOf(family, canonical(family, target));
}

function pairOf({ family, user, target }: (typeof canaryPairs)[number]): CanaryPair {
  return { user: canonical(family, user), target: canonical(family, target) };
}

function canonical(family: Family, text: string): CanonicalAddress {
  const parsed = parseAddress(family, text);
  if (!parsed.ok) throw new Error(`a canary is no address: ${parsed.detail}`);
  return parsed.value;
}

function fail(family: Family): never {
  throw new Error(`no canary pairs for ${family}`);
}
