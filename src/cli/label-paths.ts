import { bundled } from "./package-root.ts";

/** The label files of a service in the order in which they count: the bundled ones, unless they are left out, then the operator's. */
export function labelPaths(config: {
  readonly BUNDLED_LABELS: boolean;
  readonly LABELS_FILES: readonly string[];
}): readonly string[] {
  return [...(config.BUNDLED_LABELS ? bundled.labels : []), ...config.LABELS_FILES];
}
