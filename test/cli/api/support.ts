// Commands of `captable api` in this process, against a server that records what comes and answers what a test says.

import { expect } from "bun:test";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiCommand, type ApiField, kebab, parametersOf } from "../../../cli/api/api-command.ts";
import { readCommands } from "../../../cli/api/command-table.ts";
import type { Json } from "../../../src/server/http/openapi/described-schema.ts";
import { buildOpenApi } from "../../../src/server/http/openapi/document.ts";
import { allRoutes } from "../../../src/server/routes.ts";
import { runCommand } from "../../kit/command.ts";
import type { Ended } from "../../kit/program.ts";

export const KEY = "pg_test_SecretSecretSecretSecretSecret";
/** A folder for all files of tests that run in this process. */
export const folder = mkdtempSync(join(tmpdir(), "captable-api-"));
export const commands: readonly ApiCommand[] = await readCommands();

/** Writes a file for its owner alone. */
export function fileOf(name: string, content: string | Uint8Array, mode = 0o600): string {
  const file = join(folder, name);
  writeFileSync(file, content, { mode });
  chmodSync(file, mode);
  return file;
}

export const keyFile = fileOf("key", `${KEY}\n`);

/** A request as a server gets it. */
export interface Got {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Headers;
  readonly body: string;
}

/** A server that records requests. */
export function recorder(answer: (got: Got, count: number) => Response | Promise<Response>) {
  const got: Got[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const query = Object.fromEntries(searchParams);
      const body = Buffer.from(await request.arrayBuffer()).toString("latin1");
      const one = { method: request.method, path: pathname, query, headers: request.headers, body };
      got.push(one);
      return await answer(one, got.length);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, got, stop: () => server.stop(true) };
}

/** Runs `captable api …` against a server, and demands that the key is nowhere in what it prints. */
export async function api(url: string, ...words: readonly string[]): Promise<Ended> {
  const ended = await runCommand(["api", ...words, "--server", url, "--key-file", keyFile]);
  expect(ended.stdout + ended.stderr).not.toContain(KEY);
  return ended;
}

/** A problem as the server sends it. */
export function problem(status: number, slug: string, headers: Record<string, string> = {}): Response {
  const document = {
    type: `http://x/problems/${slug}`,
    title: "No",
    status,
    detail: `refused by ${slug}`,
    instance: "",
  };
  return new Response(JSON.stringify(document), {
    status,
    headers: { "content-type": "application/problem+json", "x-request-id": "r-1", ...headers },
  });
}

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly requestBody?: { readonly $ref?: string } }>>>
  >;
  readonly components: {
    readonly requestBodies: Readonly<
      Record<string, { readonly content: { readonly "application/json"?: { readonly example?: Example } } }>
    >;
  };
}
export type Example = Readonly<Record<string, unknown>>;

const { paths, components } = (await buildOpenApi(allRoutes("production"))) as Json & Document;

/** The body that the OpenAPI document has for a command; null for none. */
export function exampleOf({ method, path }: ApiCommand): Example | null {
  const operation = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
  const name = operation?.requestBody?.$ref?.split("/").at(-1);
  return (name && components.requestBodies[name]?.content["application/json"]?.example) || null;
}

/** The arguments of a command's path, and the path that they make. */
export function argumentsOf(entry: ApiCommand): { readonly args: readonly string[]; readonly path: string } {
  const args = parametersOf(entry).map((name, at) => `${name}-${at}/ü`);
  const left = [...args];
  return { args, path: entry.path.replace(/:\w+/g, () => encodeURIComponent(left.shift() ?? "")) };
}

/** The options that say what a body says. */
export function flagsOf(fields: readonly ApiField[], body: Example, prefix = ""): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const field = fields.find((each) => each.name === name);
    if (field === undefined) throw new Error(`no option for ${prefix}${name}`);
    const option = `--${prefix}${kebab(name)}`;
    if (value === null) return ["--unset", option.slice(2)];
    if (field.members && Object.keys(value as object).length > 0) {
      return flagsOf(field.members, value as Example, `${prefix}${kebab(name)}.`);
    }
    if (field.kind === "boolean") return value === true ? [option] : [`${option}=false`];
    if (field.kind === "texts") return (value as string[]).flatMap((text) => [option, text]);
    if (field.kind === "objects") return (value as object[]).flatMap((each) => [option, JSON.stringify(each)]);
    return [option, typeof value === "string" ? value : JSON.stringify(value)];
  });
}
