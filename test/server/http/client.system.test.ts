// A client generated from the document by a public generator: it type-checks, and it works against the service.
import { expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { accessRoutes } from "../../../src/people/routes.ts";
import { buildOpenApi } from "../../../src/server/http/openapi/document.ts";
import { allRoutes } from "../../../src/server/routes.ts";
import { startTestServer } from "../../kit/service.ts";

const GENERATE = `
import { plugin } from "bun";
// The generator builds its output with the compiler's former programming interface.
plugin({ name: "typescript 5", setup: (build) => {
  build.module("typescript", async () => ({ exports: await import("typescript5"), loader: "object" }));
} });
const { default: generate, astToString } = await import("openapi-typescript");
process.stdout.write(astToString(await generate(await Bun.stdin.json())));
`;

const TSCONFIG = {
  extends: resolve("tsconfig.json"),
  compilerOptions: { types: [], lib: ["ESNext", "DOM"] },
  include: ["./*.ts"],
};

async function run(command: string[], input = ""): Promise<{ status: number; out: string }> {
  const child = Bun.spawn(command, { stdin: Buffer.from(input), stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, out: out + err };
}

test("a generated client type-checks and runs a small scenario", async () => {
  const folder = mkdtempSync(join(tmpdir(), "captable-client-"));
  const server = await startTestServer();
  try {
    const document = await buildOpenApi([...allRoutes("test"), ...accessRoutes]);
    const generated = await run([process.execPath, "-e", GENERATE], JSON.stringify(document));
    expect(generated.out.slice(0, 100)).toContain("export interface paths");
    writeFileSync(join(folder, "api.ts"), generated.out);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
    copyFileSync("test/fixtures/client/scenario.txt", join(folder, "scenario.ts"));
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));

    const checked = await run(["node_modules/.bin/tsc", "--noEmit", "-p", folder]);
    expect(checked).toEqual({ status: 0, out: "" });

    const { scenario } = await import(join(folder, "scenario.ts"));
    expect(await scenario(server.url, await server.key("EDITOR"))).toEqual({
      status: "FORMER",
      held: ["40.5"],
      totalIssued: "100.5",
      refusal: "insufficient-authorized-shares",
      refusalStatus: 409,
    });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
