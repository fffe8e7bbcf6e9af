// What a check or an import found, sorted for reading: by file, problems first.
import type { components } from "../../api/types.ts";

/** Something that was found in a package. */
export interface Finding {
  readonly severity: "problem" | "warning";
  readonly code: string;
  readonly file: string | null;
  readonly index: number | null;
  readonly objectType: string | null;
  readonly id: string | null;
  readonly pointer: string;
  readonly detail: string;
  readonly fix: string;
}

/** What an import reports. */
export type Report = components["schemas"]["ImportOcfResult"];

/** The findings of a file; null for those of the package as a whole. */
export interface FileFindings {
  readonly file: string | null;
  readonly findings: readonly Finding[];
}

const isProblem = ({ severity }: Finding) => severity === "problem";

/** Findings by file: those with problems first, in each the problems first. */
export function byFile(findings: readonly Finding[]): readonly FileFindings[] {
  const files = Map.groupBy(findings, ({ file }) => file);
  return [...files]
    .map(([file, each]) => ({
      file,
      findings: [...each.filter(isProblem), ...each.filter((finding) => !isProblem(finding))],
    }))
    .toSorted((a, b) => b.findings.filter(isProblem).length - a.findings.filter(isProblem).length);
}

/** What a report's errors and warnings are as findings. */
export function findingsOf({ errors, warnings }: Pick<Report, "errors" | "warnings">): readonly Finding[] {
  return [
    ...errors.map((each) => ({ ...each, severity: "problem" as const })),
    ...warnings.map((each) => ({ ...each, severity: "warning" as const })),
  ];
}
