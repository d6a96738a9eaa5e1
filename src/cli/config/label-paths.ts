import { LabelFiles } from "../../adapters/files/labels/label-files.ts";
import { bundled } from "../program/package-root.ts";

interface LabelsConfig {
  readonly BUNDLED_LABELS: boolean;
  readonly LABELS_FILES: readonly string[];
}

/** The label files of a service in the order in which they count: the bundled ones, unless they are left out, then the operator's. */
export function labelPaths(config: LabelsConfig): readonly string[] {
  return [...(config.BUNDLED_LABELS ? bundled.labels : []), ...config.LABELS_FILES];
}

/** The label files of a service as a source. The bundled files name most contracts once, so their addresses are no imitations elsewhere (decision 0012). */
export function labelFiles(config: LabelsConfig): LabelFiles {
  return new LabelFiles(labelPaths(config), bundled.labels);
}

/** What a service judges by: the same, and the rows of `LISTS_FILES` that accuse. What a list allows excuses nobody there. */
export function servedLabelFiles(config: LabelsConfig & { readonly LISTS_FILES: readonly string[] }): LabelFiles {
  const paths = labelPaths(config);
  const lists = [...new Set(config.LISTS_FILES)].filter((file) => !paths.includes(file));
  return new LabelFiles(paths, bundled.labels, lists);
}
