// File names of exports. Pure.
import { toUtcDate } from "../runtime.ts";

const SLUG_LENGTH_MAX = 80;

/** `{organization-slug}-ocf-export-{date}.zip`: letters and digits of any script, accents taken off, joined by hyphens. */
export function fileNameOf(legalName: string, nowMs: number): string {
  return `${slugOf(legalName)}-ocf-export-${toUtcDate(nowMs)}.zip`;
}

/** A name, made safe as a part of a file name. */
export function slugOf(name: string): string {
  const words = name
    .toWellFormed()
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{Mn}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/['’]/g, "")
    .match(/[\p{L}\p{N}\p{M}]+/gu);
  const slug = [...(words ?? []).join("-")].slice(0, SLUG_LENGTH_MAX).join("").replace(/-$/, "");
  return slug || "organization";
}
