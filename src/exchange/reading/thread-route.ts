// Reading a file in a reading thread: as a route that no request can name.
import { Type } from "@sinclair/typebox";
import type { AskRoute } from "../../resources/route.ts";
import { streamOf } from "../../storage/database/snapshot.ts";
import { gathered } from "./answer-lines.ts";
import type { FilePart, FileRequest } from "./reading-protocol.ts";

/** What the threads call it. */
export const READ_FILE_OPERATION = "readFile";

/** What is asked. */
export interface ReadFileBody {
  readonly request: FileRequest;
  readonly parts: readonly FilePart[];
}

/** Reads a small package; what that takes is loaded with the first one. */
export const readFileRoute: AskRoute = {
  method: "POST",
  path: "",
  operationId: READ_FILE_OPERATION,
  tag: "",
  summary: "",
  role: "ADMIN",
  status: 200,
  body: Type.Object({}),
  ask(_db, { body }) {
    const { request, parts } = body as Partial<ReadFileBody>;
    if (!request || !parts) throw new Error("a file is asked for without what it is");
    const content = streamOf(gathered(linesIn(request, parts)), () => undefined);
    return { status: 200, file: { fileName: "", contentType: "", content } };
  },
};

async function* linesIn(request: FileRequest, parts: readonly FilePart[]): AsyncGenerator<Uint8Array> {
  const { loadReader } = await import("./read-file.ts");
  const linesOf = await loadReader(request);
  for await (const lines of linesOf(request, parts)) yield Buffer.from(lines);
}
