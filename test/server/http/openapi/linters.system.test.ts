// Public linters find nothing in the API's document. In the release tier: they bring some hundred packages, which are
// fetched into a folder of their own, as a lock file pins them. Two validators read the document in `document.system.test.ts`.
import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessRoutes } from "../../../../src/people/routes.ts";
import { buildOpenApi } from "../../../../src/server/http/openapi/document.ts";
import { allRoutes } from "../../../../src/server/routes.ts";
import { RELEASE } from "../../../kit/release.ts";

setDefaultTimeout(600_000);

const FIXTURES = join(import.meta.dir, "../../../fixtures/linters");

/** How each linter is run, and the rule by which it answers an operation without a summary and a description. */
const LINTERS = {
  redocly: { command: ["redocly", "lint", "openapi.json", "--format=json"], finds: "operation-summary" },
  spectral: {
    command: ["spectral", "lint", "openapi.json", "--format=json", "--fail-severity=hint", "--quiet"],
    finds: "operation-description",
  },
} as const;

async function run(folder: string, command: readonly string[]): Promise<{ status: number; out: string }> {
  const child = Bun.spawn([...command], { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [out] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, out };
}

/** What a linter says of the document in the folder: the rules that it finds broken, each once. */
async function rulesBroken(folder: string, command: readonly string[]): Promise<string[]> {
  const [name = "", ...rest] = command;
  const { out } = await run(folder, [process.execPath, "--bun", `node_modules/.bin/${name}`, ...rest]);
  const said = JSON.parse(out) as { problems?: { ruleId: string }[] } | { code: string }[];
  const rules = Array.isArray(said) ? said.map(({ code }) => code) : (said.problems ?? []).map(({ ruleId }) => ruleId);
  return [...new Set(rules)].sort();
}

test.skipIf(!RELEASE)("linters find no error and no warning in the document, and what is planted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "captable-linters-"));
  const write = (document: unknown) => writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
  try {
    cpSync(FIXTURES, folder, { recursive: true });
    expect((await run(folder, [process.execPath, "install", "--frozen-lockfile"])).status).toBe(0);
    const routes = [...allRoutes("test"), ...accessRoutes];
    const document = await buildOpenApi(routes);
    write(document);
    for (const { command } of Object.values(LINTERS)) expect(await rulesBroken(folder, command)).toEqual([]);
    const faulty = structuredClone(document) as { paths: Record<string, Record<string, Record<string, unknown>>> };
    const operation = faulty.paths["/api/v1/stakeholders"]?.post;
    delete operation?.summary;
    delete operation?.description;
    write(faulty);
    for (const { command, finds } of Object.values(LINTERS)) {
      expect(await rulesBroken(folder, command)).toEqual([finds]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
