// What every answer has to be, whatever was sent: a status that the OpenAPI document names for the route, the body that
// it describes there and nothing besides, a problem document for every refusal, never a failure. The schemas are the
// document's and are read by another validator than the service's own.
import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { PROBLEMS, type ProblemSlug } from "../../src/kernel/problem.ts";
import { accessRoutes } from "../../src/people/routes.ts";
import type { Route } from "../../src/resources/route.ts";
import { buildOpenApi } from "../../src/server/http/openapi/document.ts";
import { allRoutes } from "../../src/server/routes.ts";
import type { Answer } from "../kit/service.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into at every depth
type Loose = any;

/** Judges answers by the OpenAPI document. */
export class Oracle {
  readonly #document: Loose;
  readonly #ajv: Ajv;
  readonly #compiled = new Map<string, ValidateFunction | null>();

  private constructor(document: Loose) {
    this.#document = document;
    this.#ajv = new Ajv({ strict: false, validateSchema: false });
    addFormats(this.#ajv);
    this.#ajv.addSchema({ ...closed(document), $id: "http://api.example/" });
  }

  static async make(): Promise<Oracle> {
    return new Oracle(structuredClone(await buildOpenApi([...allRoutes("test"), ...accessRoutes])));
  }

  /** What is wrong with an answer of the route; null when nothing is. */
  judge(route: Route, answer: Answer): string | null {
    const { status, headers, text, json } = answer;
    const said = `${status} ${text.slice(0, 500)}`;
    // One verification at a time: another organization's gets the time when to ask again.
    const isNotItsTurn = "start" in route && status === 503 && headers.has("retry-after");
    if (status >= 500 && !isNotItsTurn) return `a failure: ${said}`;
    if (!/^[0-9a-f-]{36}$/.test(headers.get("x-request-id") ?? "")) return `no request id: ${said}`;
    const described = this.#responseOf(route, status);
    if (described === undefined) return `a status that the reference does not name: ${said}`;
    const type = Object.keys(described.content ?? {})[0] ?? null;
    if (status === 204 && text !== "") return `a body with 204: ${said}`;
    // A document's content is answered with the type that was sent with it.
    if (headers.get("content-type") !== type && !("fileType" in route && status === 200)) {
      return `the content type ${headers.get("content-type")}, not ${type}: ${said}`;
    }
    if (type === null || !type.includes("json") || headers.has("content-disposition")) return null;
    const validate = this.#validator(route, status, type);
    if (validate && !validate(json))
      return `not the form described (${this.#ajv.errorsText(validate.errors)}): ${said}`;
    return status < 400 ? null : judgeProblem(status, json, said);
  }

  #responseOf(route: Route, status: number): Loose {
    const path = route.path.replace(/:([a-zA-Z]+)/g, "{$1}");
    const response = this.#document.paths[path][route.method.toLowerCase()].responses[status];
    return response?.$ref ? this.#document.components.responses[response.$ref.split("/").at(-1)] : response;
  }

  #validator(route: Route, status: number, type: string): ValidateFunction | null {
    const key = status >= 400 ? "problem" : `${route.method} ${route.path} ${status}`;
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const schema = this.#responseOf(route, status).content[type].schema;
    const absolute = JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"http://api.example/#/'));
    const validate = schema ? this.#ajv.compile(absolute) : null;
    this.#compiled.set(key, validate);
    return validate;
  }
}

function judgeProblem(status: number, json: Loose, said: string): string | null {
  const slug = String(json.type).split("/").at(-1) as ProblemSlug;
  if (PROBLEMS[slug]?.status !== status || json.status !== status) return `the type does not fit the status: ${said}`;
  if (slug === "validation-failed" && !(json.errors?.length > 0)) return `nothing is pointed at: ${said}`;
  return null;
}

/**
 * The same with every object closed that is not open on purpose, so that members without a description are noticed; and
 * without the lengths of texts and lists, which bind what is sent: an import keeps others as they came.
 */
function closed(value: Loose): Loose {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const { minLength: _short, maxLength: _long, minItems: _few, ...rest } = value;
  const copy = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, closed(member)]));
  const isRecord = copy.type === "object" && copy.properties && copy.additionalProperties === undefined;
  return isRecord && typeof copy.properties === "object" ? { ...copy, additionalProperties: false } : copy;
}
