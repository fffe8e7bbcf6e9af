// What axe-core finds wrong with a page: WCAG 2.2 A and AA, and good practice.
import { readFileSync } from "node:fs";
import { inPage, type Visitor } from "./pages.ts";

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const CONTRAST = "color-contrast";

/** What axe-core is asked to look for, and where: all of it in all of the document unless it is said. */
export interface Sought {
  /** Contrast alone, which differs by theme, or all but that; both unless it is said. */
  readonly rules?: "contrast" | "all but contrast";
  /** A selector of what is looked at. */
  readonly within?: string;
}

/** The findings in short; none where all is well. */
export async function axeFindings(visitor: Visitor, { rules, within }: Sought = {}): Promise<string[]> {
  const { page } = visitor;
  if (!(await inPage<boolean>(visitor, page, '"axe" in window'))) await inPage(visitor, page, `${AXE}; undefined`);
  const runOnly = rules === "contrast" ? { type: "rule", values: [CONTRAST] } : { type: "tag", values: RULES };
  const left = rules === "all but contrast" && { rules: { [CONTRAST]: { enabled: false } } };
  const options = JSON.stringify({ runOnly, ...left, resultTypes: ["violations"] });
  const where = within === undefined ? "document" : JSON.stringify(within);
  const found = `axe.run(${where}, ${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => [id, target.join(" "), failureSummary].join(": "))))`;
  return inPage<string[]>(visitor, page, found);
}
