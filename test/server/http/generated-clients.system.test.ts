// Clients that public generators make of the document compile under `strict` and work. In the release tier: the
// generators bring some hundred packages, which are fetched into a folder of their own, as a lock file pins them, and are
// no dependencies of this program. The client of openapi-typescript is tried in the ordinary suite (`client.system.test.ts`).
import { expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessRoutes } from "../../../src/people/routes.ts";
import { buildOpenApi } from "../../../src/server/http/openapi/document.ts";
import { allRoutes } from "../../../src/server/routes.ts";
import { RELEASE } from "../../kit/release.ts";
import { startTestServer } from "../../kit/service.ts";

setDefaultTimeout(600_000);

const FIXTURES = join(import.meta.dir, "../../fixtures/client");
const STRICT = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "esnext"];
const HOST = ["--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable"];

/** How each client is made in a folder that holds `openapi.json`; what it works against is at `url`. */
const GENERATORS = {
  orval: (folder: string, url: string) => {
    const output = { target: "./orval/client.ts", schemas: "./orval/model", client: "fetch", mode: "split" };
    const config = { captable: { input: { target: "./openapi.json" }, output: { ...output, baseUrl: url } } };
    writeFileSync(join(folder, "orval.config.mjs"), `export default ${JSON.stringify(config)};`);
    return ["node_modules/.bin/orval", "--config", "./orval.config.mjs"];
  },
  hey: () => ["node_modules/.bin/openapi-ts", "-i", "openapi.json", "-o", "hey", "-c", "@hey-api/client-fetch"],
} as const;

async function run(folder: string, command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const status = await child.exited;
  expect({ command: command.slice(0, 3), status, said: status === 0 ? "" : out + err }).toMatchObject({ status: 0 });
}

function sourcesIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  return all.filter(({ name }) => name.endsWith(".ts")).map(({ parentPath, name }) => join(parentPath, name));
}

test.skipIf(!RELEASE)("those of orval and hey-api do", async () => {
  const folder = mkdtempSync(join(tmpdir(), "captable-clients-"));
  const server = await startTestServer();
  try {
    cpSync(join(FIXTURES, "generators"), folder, { recursive: true });
    writeFileSync(
      join(folder, "openapi.json"),
      JSON.stringify(await buildOpenApi([...allRoutes("test"), ...accessRoutes])),
    );
    await run(folder, [process.execPath, "install", "--frozen-lockfile"]);
    for (const [client, generator] of Object.entries(GENERATORS)) {
      // Both run on this program's own runtime: orval asks for a newer Node.js than the README does.
      await run(folder, [process.execPath, "--bun", ...generator(folder, server.url)]);
      copyFileSync(join(FIXTURES, `${client}.txt`), join(folder, `use-${client}.ts`));
      const sources = sourcesIn(join(folder, client));
      expect(sources.length).toBeGreaterThan(1);
      await run(folder, ["node_modules/.bin/tsc", ...STRICT, ...HOST, ...sources, `use-${client}.ts`]);
      const { scenario } = await import(join(folder, `use-${client}.ts`));
      const came = await scenario(server.url, await server.key("EDITOR"));
      expect({ client, ...came }).toEqual({ client, status: "FORMER", refusal: "Not Found", issued: "0" });
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
