// What an answer is by its media type.

const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/;

/** Whether an answer is JSON. */
export function isJson({ headers }: Response): boolean {
  return JSON_TYPE.test(headers.get("content-type") ?? "");
}

/** Whether an answer is a problem document. */
export function isProblem(headers: Headers): boolean {
  return (headers.get("content-type") ?? "").startsWith("application/problem+json");
}
