// What axe-core finds wrong with a page: WCAG 2.2 A and AA, and good practice.
import { readFileSync } from "node:fs";
import { inPage, type Visitor } from "./pages.ts";

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const ALL_RULES = { type: "tag", values: RULES };

/** The findings in short; none where all is well. */
export async function axeFindings(visitor: Visitor, runOnly: object = ALL_RULES): Promise<string[]> {
  const { page } = visitor;
  if (!(await inPage<boolean>(visitor, page, '"axe" in window'))) await inPage(visitor, page, `${AXE}; undefined`);
  const options = JSON.stringify({ runOnly, resultTypes: ["violations"] });
  const found = `axe.run(document, ${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => [id, target.join(" "), failureSummary].join(": "))))`;
  return inPage<string[]>(visitor, page, found);
}
