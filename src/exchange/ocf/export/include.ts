// The export's parameter `include`: which files to export. Apart from the export itself, which is loaded when one is
// made.
import { problem } from "../../../kernel/problem.ts";

/** The keys of `include=`: each is a file of the export. */
export const EXPORT_KEYS = [
  "issuer",
  "stakeholders",
  "stock_classes",
  "stock_plans",
  "transactions",
  "valuations",
  "vesting_terms",
  "stock_legends",
  "documents",
  "ocf_manifest",
] as const;
export type ExportKey = (typeof EXPORT_KEYS)[number];

/** Reads `include`; undefined means every key. Throws `422` at the query parameter for an unknown key. */
export function readInclude(text: string | undefined): ReadonlySet<ExportKey> {
  if (text === undefined) return new Set(EXPORT_KEYS);
  const words = text.split(",");
  const unknown = words.filter((word) => !EXPORT_KEYS.some((key) => key === word));
  if (unknown.length > 0) {
    const detail = `must be a comma-separated list of ${EXPORT_KEYS.join(", ")}`;
    throw problem("validation-failed", "The export has no such file.", [{ parameter: "include", detail }]);
  }
  return new Set(EXPORT_KEYS.filter((key) => words.includes(key)));
}
