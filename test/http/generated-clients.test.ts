// Clients that public generators make of the document compile under `strict`. In the release tier: the generators bring
// some hundred packages, which are fetched into a folder of their own and are no dependencies of this program.
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allRoutes } from "../../src/app.ts";
import { buildOpenApi } from "../../src/http/openapi.ts";
import { RELEASE } from "../support/release.ts";

setDefaultTimeout(600_000);

const PACKAGES = ["orval@7.13.0", "@hey-api/openapi-ts@0.99.0", "typescript@5.9.3"];
const ORVAL = `module.exports = { captable: {
  input: { target: "./openapi.json" },
  output: { target: "./orval/client.ts", schemas: "./orval/model", client: "fetch", mode: "split" },
} };`;
const STRICT = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "esnext"];
const HOST = ["--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable"];

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
  try {
    writeFileSync(join(folder, "package.json"), '{"name":"clients","private":true,"type":"module"}');
    writeFileSync(join(folder, "orval.config.cjs"), ORVAL);
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(await buildOpenApi(allRoutes("test"))));
    await run(folder, [process.execPath, "add", ...PACKAGES]);
    await run(folder, ["node", "node_modules/.bin/orval", "--config", "./orval.config.cjs"]);
    const fetching = ["-i", "openapi.json", "-o", "hey", "-c", "@hey-api/client-fetch"];
    await run(folder, [process.execPath, "--bun", "node_modules/.bin/openapi-ts", ...fetching]);
    for (const client of ["orval", "hey"]) {
      const sources = sourcesIn(join(folder, client));
      expect(sources.length).toBeGreaterThan(1);
      await run(folder, ["node_modules/.bin/tsc", ...STRICT, ...HOST, ...sources]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
