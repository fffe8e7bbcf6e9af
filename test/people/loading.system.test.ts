// The packages of passkeys and OpenID Connect are loaded at their first use, not at the start.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Served, serveProgram } from "../kit/program.ts";
import { CLIENT_ID, CLIENT_SECRET } from "./provider.ts";

setDefaultTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), "captable-loading-"));
const told = join(folder, "loaded");
const secretFile = join(folder, "client.secret");
let served: Served;

/** Tells of each package as its first module is read. */
const WATCH = `
  import { appendFileSync, readFileSync } from "node:fs";
  Bun.plugin({
    name: "tells what is loaded",
    setup: (build) =>
      build.onLoad({ filter: /node_modules\\/(@simplewebauthn|openid-client|reflect-metadata)\\// }, ({ path }) => {
        appendFileSync(${JSON.stringify(told)}, path.replace(/.*node_modules\\//, "") + "\\n");
        return { contents: readFileSync(path, "utf8"), loader: "js" };
      }),
  });
`;

beforeAll(async () => {
  const watch = join(folder, "watch.ts");
  writeFileSync(watch, WATCH);
  writeFileSync(secretFile, CLIENT_SECRET, { mode: 0o600 });
  const program = [process.execPath, "--preload", watch, join(import.meta.dir, "../../cli/main.ts")];
  const environment = {
    CAPTABLE_CHAIN: "off",
    CAPTABLE_OIDC_ISSUER: "http://127.0.0.1:1",
    CAPTABLE_OIDC_CLIENT_ID: CLIENT_ID,
    CAPTABLE_OIDC_CLIENT_SECRET_FILE: secretFile,
  };
  served = await serveProgram(join(folder, "data"), environment, { program, more: ["--host", "localhost"] });
});
afterAll(async () => {
  await served?.end();
  rmSync(folder, { recursive: true });
});

/** The packages that were loaded so far. */
function loaded(): string[] {
  if (!existsSync(told)) return [];
  const names = readFileSync(told, "utf8").trim().split("\n");
  return [...new Set(names.map((name) => name.split("/")[0] ?? ""))].sort();
}

test("neither at the start nor by the sign-in page; each with the first question for it", async () => {
  const headers = { "sec-fetch-site": "same-origin" };
  const session = await fetch(`${served.url}/api/v1/auth/session`, { headers });
  const { methods } = ((await session.json()) as { data: { methods: string[] } }).data;
  expect([methods, loaded()]).toEqual([["PASSWORD", "PASSKEY", "OIDC"], []]);
  await fetch(`${served.url}/api/v1/auth/oidc`, { headers, redirect: "manual" });
  expect(loaded()).toEqual(["openid-client"]);
  await fetch(`${served.url}/api/v1/auth/passkey/options`, { method: "POST", headers });
  expect(loaded()).toEqual(["@simplewebauthn", "openid-client", "reflect-metadata"]);
});
