// One command of `captable api`: its options, made of the fields, and the request that it sends.
import { readFileSync, writeFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { isJson } from "../client/media-type.ts";
import type { Sender } from "../client/sender.ts";
import {
  CommandError,
  type CommonOptions,
  configOf,
  newCommand,
  print,
  printText,
  say,
  withExamples,
  withoutDataDir,
} from "../command.ts";
import { outFile } from "../files/out-file.ts";
import { refuseTerminal, STANDARD_OUTPUT, writeToStandardOutput } from "../standard-output.ts";
import { type ApiCommand, kebab, parametersOf } from "./api-command.ts";
import { confirmed, refuseUnasked, showEffects } from "./confirm.ts";
import { type ConnectionOptions, senderFor, withConnection } from "./connection.ts";
import { bodyOf, type FieldOption, optionsOf, queryOf } from "./fields.ts";
import { exampleOf, usageOf, withRoom } from "./help.ts";
import { isRow, OUTPUTS, type Output, printAnswer, type Shape } from "./output.ts";
import { type ApiRequest, orProblem, sendRequest } from "./send.ts";

/** The options that commands have besides those of fields. */
export interface ApiOptions extends CommonOptions, ConnectionOptions {
  readonly output: Output;
  readonly columns?: string;
  readonly all?: boolean;
  readonly data?: string;
  readonly contentType?: string;
  readonly unset?: readonly string[];
  readonly ifMatch?: string;
  readonly idempotencyKey?: string;
  readonly yes?: boolean;
  readonly out?: string;
}

const ZIP = "PK\u0003\u0004";
const ALL_LIMIT = "100";

/** Adds what every command that speaks to a server has. */
export function withOutput(command: Command): Command {
  withoutDataDir(withConnection(command));
  return command
    .addOption(new Option("--output <form>", "how the answer is shown").choices(OUTPUTS).default("table"))
    .option("--columns <names>", "the members that a table or CSV has, with commas between them");
}

/** What an answer is shown as. */
export function shapeOf({ output, json, columns }: ApiOptions): Shape {
  return { output: json ? "json" : output, columns: columns === undefined ? null : columns.split(",") };
}

/** Declares the command, by the last of its words. */
export function routeCommand(entry: ApiCommand): Command {
  const command = withRoom(newCommand(entry.words.at(-1) ?? "", `${entry.summary}.`)).enablePositionalOptions();
  for (const name of parametersOf(entry)) command.argument(`<${kebab(name)}>`);
  command.usage(usageOf(entry));
  const given = withFields(command, fieldOptionsOf(entry));
  withOutput(command);
  if (entry.hasPages) command.option("--all", "follow all pages");
  if (entry.file !== undefined) command.option("--out <file>", "the file to write; - for standard output");
  if (entry.isUpload) {
    command.requiredOption("--data <file>", "the file whose bytes are sent; - for standard input");
    command.option("--content-type <type>", "the media type of the bytes; by default by the file's name");
  }
  if (entry.body !== undefined) {
    command.option("--data <file>", "a file with the body as JSON, over which options go; - for standard input");
    command.option("--unset <field>", "send null for a field; repeat for several", (name, all: string[] = []) => [
      ...all,
      name,
    ]);
  }
  if (entry.takesTag) command.option("--if-match <tag>", "do it only if the record still has this ETag");
  if (entry.isKeyed) command.option("--idempotency-key <key>", "do it once, however often it is sent with this key");
  if (entry.isDangerous) command.option("--yes", "do not ask");
  withExamples(command, exampleOf(entry));
  return command.action(async (...all: unknown[]) => {
    const options = command.opts<ApiOptions>();
    const args = all.slice(0, parametersOf(entry).length).map(String);
    await orProblem(shapeOf(options).output === "json", () => run(entry, { args, given, options }));
  });
}

/** The options of a command's fields; a member of query and body of one name is one option. */
export function fieldOptionsOf({ query, body = [] }: ApiCommand): readonly FieldOption[] {
  const ofBody = optionsOf(body);
  const named = new Set(ofBody.map(({ option }) => option));
  return [...optionsOf(query).filter(({ option }) => !named.has(option)), ...ofBody];
}

/** Declares options of fields, and gives what they collect. A boolean alone is true, and never takes the word behind it. */
function withFields(command: Command, options: readonly FieldOption[]): ReadonlyMap<string, string[]> {
  const given = new Map<string, string[]>();
  const booleans = new Set<string>();
  for (const { option, field, path } of options) {
    const isBoolean = field.kind === "boolean";
    if (isBoolean) booleans.add(`--${option}`);
    const needed = field.isRequired && path.length === 1 ? " (required)" : "";
    const made = new Option(
      `--${option} ${isBoolean ? "[true|false]" : `<${WORDS[field.kind]}>`}`,
      `${field.about}${needed}`,
    );
    made.argParser((text: string) => {
      given.set(option, [...(given.get(option) ?? []), text]);
    });
    command.addOption(made);
  }
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (args) => parse(args.map((arg) => (booleans.has(arg) ? `${arg}=true` : arg)));
  return given;
}

const WORDS = {
  text: "text",
  number: "number",
  boolean: "true",
  texts: "text…",
  objects: "json…",
  object: "json",
} as const;

/** What a command was given. */
interface Run {
  readonly args: readonly string[];
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly options: ApiOptions;
}

async function run(entry: ApiCommand, { args, given, options }: Run): Promise<void> {
  const request = requestOf(entry, { args, given, options });
  const isTrial = given.get("dry-run")?.at(-1) === "true";
  const isAsked = entry.isDangerous === true && options.yes !== true && !isTrial;
  const what = `${entry.words.join(" ")} ${args.join(" ")}`.trim();
  if (isAsked) refuseUnasked(what);
  const out = entry.file === undefined ? null : outputOf(entry, options);
  const sender = senderFor(options);
  if (isAsked) {
    await showDryRun(sender, entry, request);
    await confirmed(what);
  }
  if (options.all) return printAll(sender, request, shapeOf(options));
  const response = await sendRequest(sender, request);
  if (out !== null) return writeFile(response, out, options);
  await printResponse(response, shapeOf(options));
}

/** Prints an answer, and where a list goes on. */
export async function printResponse(response: Response, shape: Shape): Promise<void> {
  const text = response.status === 204 ? "" : await jsonText(response);
  if (text === "") {
    if (shape.output === "table") print({}, null, "done");
    return;
  }
  printAnswer(text, shape);
  const answer: unknown = JSON.parse(text);
  const next = nextCursor(answer);
  if (next !== null) say(`there is more: --cursor ${next} for the next page, --all for all of them`);
  if (isRow(answer) && answer.hasMore === true) say(`there is more: --after ${answer.cursor}`);
}

/** The JSON of an answer as it came. Exit 1 for an answer of another type: a proxy's page. */
async function jsonText(response: Response): Promise<string> {
  if (isJson(response)) return response.text();
  throw new CommandError(`the answer is no JSON of captable, but ${response.headers.get("content-type")}`, 1);
}

function nextCursor(answer: unknown): string | null {
  return isRow(answer) && typeof answer.nextCursor === "string" ? answer.nextCursor : null;
}

/** The request, as the arguments and options say it. Exit 2 for what does not fit. */
function requestOf(entry: ApiCommand, { args, given, options }: Run): ApiRequest {
  const left = [...args];
  const path = entry.path.replace(/:\w+/g, () => segmentOf(left.shift() ?? ""));
  const data = options.data === undefined ? null : readData(options.data);
  const isZip = entry.takesZip === true && data?.subarray(0, ZIP.length).toString("latin1") === ZIP;
  const query = entry.takesZip && !isZip ? "" : queryOf(entry.query, given).toString();
  const json = isZip || entry.isUpload ? null : jsonBody(entry, data, { given, options });
  const body = isZip || entry.isUpload ? data : json;
  const type = entry.isUpload ? typeOf(options) : isZip ? "application/zip" : "application/json";
  return {
    method: entry.method,
    path: query === "" ? path : `${path}?${query}`,
    headers: {
      ...(body === null ? {} : { "content-type": type }),
      ...(options.ifMatch === undefined ? {} : { "if-match": options.ifMatch }),
    },
    body: body === null ? undefined : new Uint8Array(body),
    isKeyed: entry.isKeyed === true,
    idempotencyKey: options.idempotencyKey,
    isRead: entry.method === "GET" || entry.isAsk === true,
  };
}

/** An argument as a part of a path. Exit 2 for what would make another address of it. */
function segmentOf(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new CommandError(`${JSON.stringify(id)} is no id`, 2);
  return encodeURIComponent(id);
}

/** The body: a file's bytes as they are where no option goes over them. Null where none is sent. */
function jsonBody(
  entry: ApiCommand,
  data: Buffer | null,
  { given, options: { unset = [] } }: Pick<Run, "given" | "options">,
): Buffer | null {
  if (entry.body === undefined) return null;
  const isGiven = unset.length > 0 || optionsOf(entry.body).some(({ option }) => given.has(option));
  if (data !== null && !isGiven) return data;
  const parsed = data === null ? undefined : parsedData(data);
  const body = bodyOf(entry.body, given, { data: parsed, unset });
  if (body === null && entry.isBodyOptional) return null;
  return Buffer.from(JSON.stringify(body ?? {}));
}

function parsedData(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString("utf8"));
  } catch {
    throw new CommandError("--data is no JSON", 2);
  }
}

/** The bytes of a file, or of standard input. Exit 2 where they cannot be read. */
export function readData(file: string): Buffer {
  try {
    return readFileSync(file === STANDARD_OUTPUT ? 0 : file);
  } catch (failure) {
    throw new CommandError(`--data: ${failure instanceof Error ? failure.message : String(failure)}`, 2);
  }
}

function typeOf({ contentType, data = "" }: ApiOptions): string {
  return contentType ?? (data === STANDARD_OUTPUT ? "application/octet-stream" : Bun.file(data).type);
}

/** Where a file goes: null for text that is printed. Exit 2 for bytes that would go to a terminal. */
function outputOf({ file = "" }: ApiCommand, { out, dataDir }: ApiOptions): string {
  if (out !== undefined && out !== STANDARD_OUTPUT) {
    return outFile(out, configOf(dataDir === undefined ? {} : { dataDir }).dataDir);
  }
  if (out === undefined && /^text\//.test(file)) return "";
  if (out === undefined) throw new CommandError("--out: name the file to write, or - for standard output", 2);
  refuseTerminal();
  return STANDARD_OUTPUT;
}

async function writeFile(response: Response, out: string, { json = false }: ApiOptions): Promise<void> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (out === "" && process.stdout.isTTY) return printText({ json: false }, null, new TextDecoder().decode(bytes));
  if (out === "" || out === STANDARD_OUTPUT) return void (await writeToStandardOutput([bytes]));
  writeFileSync(out, bytes);
  print({ json }, { file: out, bytes: bytes.length }, `wrote ${out}`);
}

/** Shows what would change, where the operation can say it. */
export async function showDryRun(sender: Sender, entry: ApiCommand, request: ApiRequest): Promise<void> {
  if (entry.body?.every(({ name }) => name !== "dryRun") ?? true) return;
  const asked = JSON.parse(Buffer.from(request.body ?? Buffer.from("{}")).toString("utf8"));
  const body = new Uint8Array(Buffer.from(JSON.stringify({ ...asked, dryRun: true })));
  const response = await sendRequest(sender, { ...request, body, idempotencyKey: undefined });
  showEffects(JSON.parse(await jsonText(response)));
}

/** Follows the pages of a list to its end, and prints them as one: all of them, or nothing. */
async function printAll(sender: Sender, request: ApiRequest, shape: Shape): Promise<void> {
  const url = new URL(request.path, "http://list");
  if (!url.searchParams.has("limit")) url.searchParams.set("limit", ALL_LIMIT);
  const pages: { readonly items?: readonly unknown[]; readonly data?: readonly unknown[] }[] = [];
  for (let next: string | null = ""; next !== null; ) {
    if (next !== "") url.searchParams.set("cursor", next);
    const response = await sendRequest(sender, { ...request, path: `${url.pathname}${url.search}` });
    const page = JSON.parse(await jsonText(response)) as (typeof pages)[number];
    pages.push(page);
    next = nextCursor(page);
  }
  const name = pages[0] !== undefined && "items" in pages[0] ? "items" : "data";
  const all = pages.flatMap((page) => page[name] ?? []);
  printAnswer(JSON.stringify({ ...pages[0], [name]: all, nextCursor: null }), shape);
}
