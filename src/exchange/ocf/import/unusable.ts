// The refusal of an archive of which nothing can be made, as a JSON body is refused that cannot be parsed.
import { problem } from "../../../kernel/problem.ts";
import type { OcfPackage } from "../package.ts";

/** Findings of reading that make nothing of a whole file. */
const UNUSABLE: ReadonlySet<string> = new Set(["broken-zip", "zip-too-large", "not-utf8", "not-json", "no-items"]);

/** Throws `400 malformed-json` that names the first file of an archive of which nothing can be made. */
export function refuseUnusable({ findings }: OcfPackage): void {
  const found = findings.list.find(({ severity, code }) => severity === "problem" && UNUSABLE.has(code));
  if (found) throw problem("malformed-json", `${found.file ?? "The archive"}: ${found.detail} ${found.fix}`);
}
