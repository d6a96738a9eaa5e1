import { LabelFiles } from "../adapters/files/label-files.ts";
import { bundled } from "./package-root.ts";

interface LabelsConfig {
  readonly BUNDLED_LABELS: boolean;
  readonly LABELS_FILES: readonly string[];
}

/** The label files of a service in the order in which they count: the bundled ones, unless they are left out, then the operator's. */
export function labelPaths(config: LabelsConfig): readonly string[] {
  return [...(config.BUNDLED_LABELS ? bundled.labels : []), ...config.LABELS_FILES];
}

/** The same as a source. The bundled files name a contract once, with the first chain that has it (decision 0012). */
export function labelFiles(config: LabelsConfig): LabelFiles {
  return new LabelFiles(labelPaths(config), bundled.labels);
}
