// Findings of health checks: the records concerned, and the text about them, in plain English. Pure.

import type { SecurityRow } from "./check-register.ts";
import type { ValuationRow } from "./health-company.ts";

/** A record that a finding is about. */
export interface Subject {
  readonly resourceType: (typeof RESOURCE_TYPES)[number];
  readonly id: string;
  readonly name: string;
}

export const RESOURCE_TYPES = [
  "organization",
  "stakeholder",
  "share-class",
  "equity-plan",
  "security",
  "valuation",
  "approval",
  "document",
] as const;

/** What a check found. */
export interface Found {
  /** How many records, or other things, it is about. */
  readonly count: number;
  /** Those records, all of them. */
  readonly subjects: readonly Subject[];
  readonly detail: string;
}

/** A finding about some records; null if the list is empty. */
export function foundOf(subjects: readonly Subject[], detail: (count: number) => string): Found | null {
  return subjects.length === 0 ? null : { count: subjects.length, subjects, detail: detail(subjects.length) };
}

/** A security as a subject: by its certificate number, else by its id. */
export function securitySubject({ id, certificateId }: Pick<SecurityRow, "id" | "certificateId">): Subject {
  return { resourceType: "security", id, name: certificateId ?? id };
}

/** A share class as a subject. */
export function classSubject({ id, name }: { readonly id: string; readonly name: string }): Subject {
  return { resourceType: "share-class", id, name };
}

/** A valuation as a subject: by its kind and day. */
export function valuationSubject({ id, type, effectiveDate }: ValuationRow): Subject {
  return { resourceType: "valuation", id, name: `${type} of ${effectiveDate}` };
}

/** How many subjects a finding names. */
export const SUBJECTS_MAX = 20;
const NAMED_MAX = 5;

/** The first names, and how many more there are. */
export function named(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return [...names.slice(0, NAMED_MAX), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
