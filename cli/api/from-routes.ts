// The commands of `captable api`, made from the route table: names, fields, what a request needs.
import type { TSchema } from "@sinclair/typebox";
import type { Route } from "../../src/resources/route.ts";
import { isAllowed } from "../../src/server/batch/allowed.ts";
import type { ApiCommand, ApiField, FieldKind } from "./api-command.ts";

/** Operations that cannot be taken back, besides deletions. */
const DANGEROUS: ReadonlySet<string> = new Set(["retract", "split", "terminateService", "closeRound"]);
const ABOUT_MAX = 110;

/** The commands of all routes that a key may call, but for the stream of events, which is followed. */
export function commandsOf(routes: readonly Route[]): ApiCommand[] {
  const called = routes.filter((route) => route.role !== "STAKEHOLDER" && !("live" in route));
  return called.map((route) => commandOf(route, called));
}

function commandOf(route: Route, routes: readonly Route[]): ApiCommand {
  const members = "body" in route && route.body !== undefined ? fieldsOf(route.body) : undefined;
  const query = "query" in route ? route.query : "zipQuery" in route ? route.zipQuery : undefined;
  const isUpload = route.method === "PUT";
  return {
    operation: route.operationId,
    words: wordsOf(route, routes),
    method: route.method,
    path: route.path,
    summary: route.summary,
    query: query === undefined ? [] : fieldsOf(query),
    ...(members === undefined ? {} : { body: members }),
    ...flag("isBodyOptional", "isBodyOptional" in route && route.isBodyOptional === true),
    ...flag("isUpload", isUpload),
    ...flag("takesZip", "gives" in route),
    ...flag("isKeyed", "isIdempotent" in route && route.isIdempotent === true),
    ...flag("isAsk", "ask" in route),
    ...flag("takesTag", route.record !== undefined && !("ask" in route)),
    ...flag("hasPages", hasCursor(route)),
    ...("fileType" in route && route.fileType !== undefined ? { file: route.fileType } : {}),
    ...flag("isBatched", isAllowed(route)),
    ...flag("isDangerous", route.method === "DELETE" || DANGEROUS.has(route.operationId)),
  };
}

/** A member that is there where it is true. */
function flag<N extends keyof ApiCommand>(name: N, isSet: boolean): { readonly [K in N]?: true } {
  return (isSet ? { [name]: true } : {}) as { readonly [K in N]?: true };
}

/** The words of a path: its fixed segments, divided at dots. */
function segmentsOf({ path }: Pick<Route, "path">): string[] {
  return path
    .split("/")
    .slice(3)
    .filter((segment) => !segment.startsWith(":"))
    .flatMap((segment) => segment.split("."));
}

function hasCursor(route: Route): boolean {
  return route.method === "GET" && "query" in route && "cursor" in (route.query?.properties ?? {});
}

/** Whether a route lists records: it has a cursor, or its records have addresses below it. */
function isList(route: Route, routes: readonly Route[]): boolean {
  return route.method === "GET" && (hasCursor(route) || routes.some(({ path }) => path.startsWith(`${route.path}/:`)));
}

/** The words that name a command. */
function wordsOf(route: Route, routes: readonly Route[]): string[] {
  const { method, path } = route;
  const words = segmentsOf(route);
  const isContent = path.endsWith("/content");
  if (method === "PUT") return isContent ? [...words.slice(0, -1), "upload"] : [...words, "put"];
  if (method === "PATCH") return [...words, "update"];
  if (method === "DELETE") return [...words, "delete"];
  if (method === "POST") {
    const creates = routes.some((each) => each.path === path && isList(each, routes));
    return creates ? [...words, "create"] : words;
  }
  if (isList(route, routes)) return [...words, "list"];
  if (isContent) return [...words.slice(0, -1), "download"];
  const isAction = (each: Route) => each.method === "POST" && segmentsOf(each).join(" ") === words.join(" ");
  const isGet =
    /:\w+$/.test(path) ||
    words.length === 1 ||
    routes.some((each) => each.path.startsWith(`${path}/`)) ||
    routes.some(isAction);
  return isGet ? [...words, "get"] : words;
}

function fieldsOf({ properties = {}, required = [] }: TSchema): ApiField[] {
  const needed = new Set(required as readonly string[]);
  return Object.entries(properties as Record<string, TSchema>).map(([name, member]) => {
    const schema = withoutNull(member);
    const kind = kindOf(schema);
    return {
      name,
      kind,
      about: aboutOf(member, schema),
      ...(needed.has(name) ? { isRequired: true as const } : {}),
      ...(kind === "object" && hasMembers(schema) ? { members: fieldsOf(schema) } : {}),
    };
  });
}

function hasMembers({ properties }: TSchema): boolean {
  return properties !== undefined && Object.keys(properties).length > 0;
}

/** What a member is besides null. */
function withoutNull(schema: TSchema): TSchema {
  const [only, ...others] = (schema.anyOf as TSchema[] | undefined)?.filter(({ type }) => type !== "null") ?? [];
  return only !== undefined && others.length === 0 ? only : schema;
}

function kindOf({ type, items }: TSchema): FieldKind {
  if (type === "string") return "text";
  if (type === "integer" || type === "number") return "number";
  if (type === "boolean") return "boolean";
  if (type === "array") return (items as TSchema).type === "string" ? "texts" : "objects";
  return "object";
}

/** The first sentence about a member, or the values that it may have. */
function aboutOf(member: TSchema, schema: TSchema): string {
  const values = (schema.enum ?? (schema.items as TSchema | undefined)?.enum) as readonly string[] | undefined;
  const said = String(member.description ?? schema.description ?? "").split(/(?<=[.:;])\s/)[0] ?? "";
  const about = said.replace(/`/g, "").replace(/[.:;]$/, "");
  const listed = values?.join(", ") ?? "";
  const shown = listed !== "" && listed.length <= ABOUT_MAX ? [about, listed].filter(Boolean).join(": ") : about;
  return shown.length <= ABOUT_MAX * 2 ? shown : `${shown.slice(0, ABOUT_MAX * 2)}…`;
}
