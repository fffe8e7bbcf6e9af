// `POST /api/v1/batch`: several changes in one transaction, each as it would be alone.
import { present } from "../../kernel/assert.ts";
import { needing, type Route, type WriteRoute, writeRoute } from "../../resources/route.ts";
import { AllowedRoutes } from "./allowed.ts";
import { BatchAnswer, BatchBody } from "./batch-schema.ts";
import { carryOut } from "./carry-out.ts";
import { examine } from "./examine.ts";

/** The route that carries out the changes of `routes` together; `basePath` is the path before every address. */
export function batchRoute(routes: readonly Route[], basePath: () => string): WriteRoute {
  const allowed = new AllowedRoutes(routes);
  const summary = present(
    routes.find(({ operationId }) => operationId === "getCapTableSummary"),
    "the summary of the cap table",
  );
  if (summary.method !== "GET") throw new TypeError("the summary of the cap table is read");
  const carried = [summary.run, ...allowed.routes.flatMap(({ run, record }) => (record ? [run, record.run] : [run]))];
  return writeRoute({
    method: "POST",
    path: "/api/v1/batch",
    operationId: "batch",
    tag: "Batches",
    summary: "Carry out several operations together",
    description:
      "All of them or none, in one transaction, each seeing what those before it did. All are checked first, and all " +
      "faults are answered together; the first that is refused then is the answer, with its `operation` and `name`. " +
      "Each has its own entries in the ledger and the log, and counts as a request.",
    role: "EDITOR",
    status: 200,
    isExtension: true,
    isIdempotent: true,
    isOnce: true,
    isBatchable: false,
    problems: [404, 409],
    body: BatchBody,
    bodyExample: {
      operations: [
        {
          method: "POST",
          path: "/api/v1/approvals",
          name: "board",
          body: { title: "Grants of May", entityType: "Option Grant", steps: [{ name: "Board of directors" }] },
        },
        { method: "POST", path: "/api/v1/approvals/{board.id}/submit" },
      ],
    },
    response: BatchAnswer,
    examine: (body) => examine(body, allowed),
    run: needing<WriteRoute<typeof BatchBody>["run"]>(carried, (tx, call, { body }) =>
      carryOut(tx, call, body, { allowed, summary, basePath }),
    ),
  });
}
