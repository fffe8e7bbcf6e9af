// The refusal of an archive without a single readable file, like that of a JSON body that cannot be parsed.
import { problem } from "../../../kernel/problem.ts";
import type { OcfPackage } from "../package.ts";

/** Findings of reading that make a whole file unreadable. */
const UNUSABLE: ReadonlySet<string> = new Set(["broken-zip", "zip-too-large", "not-utf8", "not-json", "no-items"]);

/** Throws `400 malformed-json` that names the first file of an unreadable archive. */
export function refuseUnusable({ findings }: OcfPackage): void {
  const found = findings.list.find(({ severity, code }) => severity === "problem" && UNUSABLE.has(code));
  if (found) throw problem("malformed-json", `${found.file ?? "The archive"}: ${found.detail} ${found.fix}`);
}
