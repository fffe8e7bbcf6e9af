// Every operation of the interface that this service implements, written by hand. Whatever else the service answers is
// an extension.

/** `METHOD /path` below `/api/v1`. */
export const API_OPERATIONS: readonly string[] = [
  ...["stakeholders", "share-classes", "securities", "valuations", "equity-plans", "vesting-terms"].flatMap(fiveOf),
  ...["vesting-milestones", "corporate-actions"].flatMap(fiveOf),
  "POST /share-classes/{id}/retokenize",
  "POST /vesting-milestones/{id}/complete",
  "GET /transactions",
  "POST /transactions",
  "POST /transactions/issue-shares",
  "POST /transactions/issue-options",
  "POST /transactions/transfer",
  "POST /transactions/exercise",
  "POST /transactions/cancel",
  ...fiveOf("approvals"),
  "POST /approvals/{id}/submit",
  "POST /approvals/{id}/steps",
  "POST /approvals/{id}/lock",
  "GET /cap-table/summary",
  "GET /cap-table/ocf-export",
  "POST /cap-table/ocf-import",
  "GET /openapi.json",
];

function fiveOf(segment: string): string[] {
  const list = `/${segment}`;
  const record = `/${segment}/{id}`;
  return [`GET ${list}`, `POST ${list}`, `GET ${record}`, `PATCH ${record}`, `DELETE ${record}`];
}
