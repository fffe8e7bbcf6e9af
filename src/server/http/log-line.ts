// The request log: one line a request. Never a header, a body, a query or a key: ids only. Lines are gathered and
// written together, so that logging costs no system call for each request.

import type { Timestamp } from "../../kernel/runtime.ts";
import { printable, printableJson } from "../../kernel/text/text.ts";

/** The fields of a request's line. */
export interface RequestLine {
  readonly time: Timestamp;
  readonly level: "info" | "error";
  readonly requestId: string;
  readonly apiKeyId: string | null;
  /** The person who signed in, for a session. */
  readonly accountId: string | null;
  readonly orgId: string | null;
  readonly method: string;
  /** The route's pattern, or null when no route matched. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  /** For a `500` or `503`: the cause, for the operator. For an export: why the audit log does not record it. */
  readonly error?: string;
}

/** Takes log lines. */
export interface Log {
  /** Takes a line; `makeLine` is not called when nothing is logged. */
  write(makeLine: () => RequestLine): void;
  /** Writes out what is gathered. */
  flush(): void;
}

/** How lines look. */
export type LogForm = "json" | "pretty" | "off";

const FLUSH_MS = 50;

/** Makes the log; `out` writes text, for instance to standard output. */
export function makeLog(form: LogForm, out: (text: string) => void): Log {
  if (form === "off") return { write: () => undefined, flush: () => undefined };
  let gathered: string[] = [];
  let isScheduled = false;
  const flush = () => {
    isScheduled = false;
    if (gathered.length > 0) out(`${gathered.join("\n")}\n`);
    gathered = [];
  };
  return {
    write(makeLine) {
      const line = makeLine();
      gathered.push(form === "json" ? printableJson(JSON.stringify(line)) : printable(prettyLine(line)));
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(flush, FLUSH_MS).unref();
    },
    flush,
  };
}

function prettyLine(line: RequestLine): string {
  const route = line.route ?? "(no route)";
  return `${line.time} ${line.status} ${line.method} ${route} ${line.ms.toFixed(1)} ms ${line.error ?? ""}`.trimEnd();
}
