// Paths with their parameters filled in, and queries.

/** A value as a segment of a path. Throws `TypeError` for what would make another address of it: nothing, or a step up. */
export function segmentOf(name: string, value: unknown): string {
  const text = String(value ?? "");
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} is ${JSON.stringify(value)}, which is no id`);
  return encodeURIComponent(text);
}

/** A path of the document with what stands for its parameters. Throws `TypeError` where one has no value. */
export function filledPath(path: string, segment: (name: string) => string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name));
}

/** A query without what has no value. */
export function searchOf(query: Readonly<Record<string, unknown>>): URLSearchParams {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
}
