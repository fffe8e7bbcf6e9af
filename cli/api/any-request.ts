// captable api GET, POST, PATCH, PUT, DELETE: any request by its path.
import type { Command } from "commander";
import { isJson } from "../client/media-type.ts";
import { CommandError, newCommand, withExamples } from "../command.ts";
import { writeToStandardOutput } from "../standard-output.ts";
import { commandAt } from "./api-command.ts";
import { readCommands } from "./command-table.ts";
import { confirmed, refuseUnasked } from "./confirm.ts";
import { senderFor } from "./connection.ts";
import { type ApiOptions, printResponse, readData, shapeOf, showDryRun, withOutput } from "./route-command.ts";
import { type ApiRequest, orProblem, sendRequest } from "./send.ts";

/** The methods that name such a command. */
export const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const;

interface AnyOptions extends ApiOptions {
  readonly query?: readonly string[];
}

/** Declares the commands. */
export function anyRequestCommands(): Command[] {
  return METHODS.map((method) => {
    const command = newCommand(method, `Send ${method} to a path.`).argument(
      "<path>",
      "from / on, as /api/v1/organization",
    );
    command.option(
      "--query <name=value>",
      "a parameter of the query; repeat for several",
      (pair, all: string[] = []) => [...all, pair],
    );
    withOutput(command);
    if (method !== "GET") {
      command.option("--data <file>", "the file whose bytes are the body; - for standard input");
      command.option("--content-type <type>", "the media type of the body; by default JSON");
      command.option("--if-match <tag>", "do it only if the record still has this ETag");
      command.option("--idempotency-key <key>", "do it once, however often it is sent with this key");
      command.option("--yes", "do not ask");
    }
    withExamples(
      command,
      method === "GET"
        ? "captable api GET /api/v1/cap-table --query asOf=2026-06-30"
        : `captable api ${method} /api/v1/organization --data body.json`,
    );
    return command.action((path: string, options: AnyOptions) =>
      orProblem(shapeOf(options).output === "json", () => send(method, path, options)),
    );
  });
}

async function send(method: string, given: string, options: AnyOptions): Promise<void> {
  if (!given.startsWith("/")) throw new CommandError(`${given}: a path begins with /, as /api/v1/organization`, 2);
  // As a request will have it, without steps (`/./`) and fragments: the question is about what the server does.
  const { pathname, search } = new URL(`http://server${given}`);
  const path = `${pathname}${search}`;
  const known = commandAt(await readCommands(), method, path);
  const isAsked = (method === "DELETE" || known?.isDangerous === true) && options.yes !== true;
  if (isAsked) refuseUnasked(`${method} ${path}`);
  const body = options.data === undefined ? undefined : new Uint8Array(readData(options.data));
  const sender = senderFor(options);
  const request: ApiRequest = {
    method,
    path: `${path}${queryOf(path, options.query ?? [])}`,
    headers: {
      ...(body === undefined ? {} : { "content-type": options.contentType ?? "application/json" }),
      ...(options.ifMatch === undefined ? {} : { "if-match": options.ifMatch }),
    },
    body,
    isKeyed: known?.isKeyed === true,
    idempotencyKey: options.idempotencyKey,
    isRead: method === "GET" || known?.isAsk === true,
  };
  if (isAsked) {
    if (known !== undefined) await showDryRun(sender, known, request);
    await confirmed(`${method} ${path}`);
  }
  const response = await sendRequest(sender, request);
  if (isJson(response) || response.status === 204) {
    await printResponse(response, shapeOf(options));
  } else await writeToStandardOutput([new Uint8Array(await response.arrayBuffer())]);
}

function queryOf(path: string, pairs: readonly string[]): string {
  if (pairs.length === 0) return "";
  const query = new URLSearchParams();
  for (const pair of pairs) {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === "") throw new CommandError(`--query ${pair}: write name=value`, 2);
    query.append(name, value);
  }
  return `${path.includes("?") ? "&" : "?"}${query}`;
}
