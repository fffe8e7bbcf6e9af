// The package that the program carries: in an empty folder with Node.js, its README as it stands, its types over every
// operation, its size.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { clientRoutes } from "../../../.ci/api-client.ts";
import { manifest } from "../../../.ci/build-client.ts";
import { buildOpenApi } from "../../../src/server/http/openapi/document.ts";
import { allRoutes } from "../../../src/server/routes.ts";
import { blocksOf } from "../../kit/as-typed.ts";
import { newDataDir, PROGRAM, runProgram, type Served, serveProgram } from "../../kit/program.ts";

setDefaultTimeout(120_000);

const PACKED_MAX = 200_000;
const JAVASCRIPT_MAX = 30_000;
const NEEDED = ["openapi-fetch", "openapi-typescript-helpers", "standardwebhooks", "@stablelib/base64", "fast-sha256"];
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    module: "nodenext",
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    types: ["node"],
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    outDir: "out",
  },
};

const folder = mkdtempSync(join(tmpdir(), "captable-stranger-"));
let served: Served | undefined;

/** Runs a command in the folder. */
async function run(command: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, out, err };
}

/** Checks files by a compiler as a stranger has it, and compiles them to `out`. */
function compile(compiler: string, ...files: readonly string[]) {
  // The former compiler takes half a minute for declarations that the other one has checked.
  const compilerOptions = { ...TSCONFIG.compilerOptions, skipLibCheck: compiler === "typescript5" };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  return run([process.execPath, resolve(`node_modules/${compiler}/bin/tsc`), "-p", "."]);
}

beforeAll(async () => {
  const packed = await runProgram(["print", "client", "--out", join(folder, "client.tgz")]);
  expect([packed.status, packed.stderr]).toEqual([0, ""]);
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@types"), { recursive: true });
  mkdirSync(join(modules, "@stablelib"));
  // What a package manager does: the packed file as a package, beside those that it needs.
  expect((await run(["tar", "-xzf", "client.tgz"])).status).toBe(0);
  expect((await run(["mv", "package", "node_modules/captable-client"])).status).toBe(0);
  for (const name of [...NEEDED, "@types/node", "undici-types"]) {
    symlinkSync(resolve("node_modules", name), join(modules, name));
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
});
afterAll(async () => {
  await served?.end();
  rmSync(folder, { recursive: true, force: true });
});

test("it is as small as it should be, and says what it needs", async () => {
  expect(statSync(join(folder, "client.tgz")).size).toBeLessThanOrEqual(PACKED_MAX);
  const own = join(folder, "node_modules/captable-client");
  const names = readdirSync(own, { recursive: true, encoding: "utf8" });
  const scripts = names.filter((name) => name.endsWith(".js"));
  expect(scripts).toEqual(["index.js"]);
  expect(scripts.reduce((sum, name) => sum + statSync(join(own, name)).size, 0)).toBeLessThan(JAVASCRIPT_MAX);
  const read = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  expect(read).toEqual(manifest());
  expect(read.version).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
  const imported = [...readFileSync(join(own, "index.js"), "utf8").matchAll(/\bfrom "([^"]+)"/g)].map(
    ([, name]) => name,
  );
  expect(imported.sort()).toEqual(Object.keys(read.dependencies).sort());
  for (const name of ["README.md", "LICENSE", "index.d.ts", "made/types.d.ts"]) expect(names).toContain(name);
});

test("its README's examples are strict TypeScript and run in Node.js as they stand", async () => {
  const readme = readFileSync(join(folder, "node_modules/captable-client/README.md"), "utf8");
  expect(readme).toBe(readFileSync("cli/client/README.md", "utf8"));
  const blocks = blocksOf(readme).filter(({ language }) => language === "ts");
  expect(blocks.length).toBeGreaterThanOrEqual(8);
  // The receiver of webhooks listens nowhere in the README.
  writeFileSync(join(folder, "readme.mts"), blocks.map(({ text }) => text).join("\n"));
  for (const compiler of ["typescript", "typescript5"]) {
    expect([compiler, await compile(compiler, "readme.mts")]).toEqual([compiler, { status: 0, out: "", err: "" }]);
  }
  const dataDir = newDataDir();
  served = await serveProgram(dataDir, { CAPTABLE_CHAIN: "off" });
  const ran = await run(["node", "out/readme.mjs"], { CAPTABLE_SERVER: served.url, CAPTABLE_KEY: served.key });
  expect([ran.status, ran.err]).toEqual([0, ""]);
  const lines = ran.out.trim().split("\n");
  expect(lines[0]).toContain("10000000 authorized");
  expect([lines[1], lines[4]]).toEqual(["Ada Wirth", "Met in Lisbon."]);
  expect(lines[3]).toMatch(/^[0-9a-f-]{36}$/);
  expect(lines.at(-1)).toMatch(/^stakeholder\.updated [0-9a-f-]{36} \[ 'comments' \]$/);
});

/** What a document says of an operation. */
interface Described {
  readonly parameters?: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
    readonly schema?: { readonly enum?: readonly string[] };
  }[];
  readonly requestBody?: { readonly $ref?: string };
}

/** A call of each operation, with the document's own example as its body; `spoilt` misspells a member of each body. */
async function calls(isSpoilt: boolean) {
  const routes = clientRoutes(allRoutes("test"));
  const document = (await buildOpenApi(routes)) as {
    paths: Record<string, Record<string, Described>>;
    components: { requestBodies: Record<string, { content: { "application/json"?: { example: object } } }> };
  };
  let bodies = 0;
  const lines = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => {
      if (!path.startsWith("/api/")) return "";
      const given = (place: string) => {
        const named = parameters.filter((each) => each.in === place && each.required);
        const values = named.map(({ name, schema }) => `${name}: ${JSON.stringify(schema?.enum?.[0] ?? "x")}`);
        return values.length > 0 ? [`${place}: { ${values.join(", ")} }`] : [];
      };
      const params = [...given("path"), ...given("query")];
      const name = requestBody?.$ref?.split("/").at(-1);
      const example = name && document.components.requestBodies[name]?.content["application/json"]?.example;
      if (example) bodies++;
      const body = example && (isSpoilt ? { ...example, misspelt: 1 } : example);
      const init = [
        ...(params.length > 0 ? [`params: { ${params.join(", ")} }`] : []),
        ...(body ? [`body: ${JSON.stringify(body)}`] : method === "put" ? ["body: new Blob()"] : []),
      ];
      const more = init.length > 0 ? `, { ${init.join(", ")} }` : "";
      return `  await captable.api.${method.toUpperCase()}(${JSON.stringify(path)}${more}),`;
    }),
  );
  const head = `import { Captable } from "captable-client";
const captable = new Captable({ server: "http://127.0.0.1:1", key: "x" });
export const answers = [`;
  const known = lines.filter((line) => line !== "");
  return { text: `${head}\n${known.join("\n")}\n];\n`, operations: known.length, bodies, routes: routes.length };
}

test("each operation that a key may call is strict TypeScript with the document's example, and a misspelling none", async () => {
  const { text, operations, bodies, routes } = await calls(false);
  // The document describes itself besides.
  expect(operations).toBe(routes + 1);
  expect(bodies).toBeGreaterThan(60);
  writeFileSync(join(folder, "calls.mts"), text);
  expect(await compile("typescript", "calls.mts")).toEqual({ status: 0, out: "", err: "" });
  const spoilt = await calls(true);
  writeFileSync(join(folder, "spoilt.mts"), spoilt.text);
  const { out } = await compile("typescript", "spoilt.mts");
  const lines = new Set([...out.matchAll(/^spoilt\.mts\((\d+),/gm)].map(([, line]) => line));
  expect(lines.size).toBe(bodies);
});

test("a checkout says that it has no packed client", async () => {
  const sources = [process.execPath, resolve("cli/main.ts")];
  const ended = await runProgram(["print", "client", "--out", join(folder, "none.tgz")], {}, sources);
  expect([ended.status, ended.stdout]).toEqual([1, ""]);
  expect(ended.stderr).toContain("build:client");
  expect(PROGRAM.length).toBeGreaterThan(0);
});
