// The settings that name an OpenID Connect provider: all of them or none, and a secret that no other user can read.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratedDataDir } from "../kit/migrated.ts";
import { runProgram } from "../kit/program.ts";

setDefaultTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), "captable-provider-settings-"));
const [good, open, empty] = ["good", "open", "empty"].map((name) => join(folder, name)) as [string, string, string];
writeFileSync(good, "a secret of the provider\n", { mode: 0o600 });
writeFileSync(open, "a secret of the provider\n");
chmodSync(open, 0o644);
writeFileSync(empty, "\n", { mode: 0o600 });
afterAll(() => rmSync(folder, { recursive: true }));

const ISSUER = { CAPTABLE_OIDC_ISSUER: "https://accounts.example.com" };
const ID = { CAPTABLE_OIDC_CLIENT_ID: "captable" };
const secret = (file: string) => ({ CAPTABLE_OIDC_CLIENT_SECRET_FILE: file });
const FILE = "CAPTABLE_OIDC_CLIENT_SECRET_FILE";
const ALLOWED = "allowed is a file that its owner alone can read.";

const serve = (environment: Record<string, string>) =>
  runProgram(["serve", "--data-dir", join(folder, "data"), "--port", "0"], environment);

describe("serve ends with status 2 where", () => {
  const cases: readonly [string, Record<string, string>, string][] = [
    ["an issuer stands alone", ISSUER, `CAPTABLE_OIDC_ISSUER needs CAPTABLE_OIDC_CLIENT_ID and ${FILE}: `],
    ["there is no secret", { ...ISSUER, ...ID }, `CAPTABLE_OIDC_ISSUER and CAPTABLE_OIDC_CLIENT_ID need ${FILE}: `],
    [
      "there is no issuer",
      { ...ID, ...secret(good) },
      `CAPTABLE_OIDC_CLIENT_ID and ${FILE} need CAPTABLE_OIDC_ISSUER: `,
    ],
    ["the file is not there", { ...ISSUER, ...ID, ...secret(join(folder, "none")) }, "cannot be read (ENOENT)"],
    [
      "others can read it",
      { ...ISSUER, ...ID, ...secret(open) },
      `${open} can be read by others (mode 644): set it to 600`,
    ],
    ["it is empty", { ...ISSUER, ...ID, ...secret(empty) }, `${FILE}: ${empty} is empty; ${ALLOWED}`],
    ["it is a folder", { ...ISSUER, ...ID, ...secret(folder) }, ALLOWED],
    [
      "the issuer is reached in the clear",
      { CAPTABLE_OIDC_ISSUER: "http://accounts.example.com" },
      "allowed is an https URL",
    ],
  ];
  test.each(cases)("%s", async (_, environment, words) => {
    const { status, stderr } = await serve(environment);
    expect([status, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(stderr).not.toContain("a secret");
  });
});

test("other commands do not mind", async () => {
  const dataDir = await migratedDataDir();
  const { status, stderr } = await runProgram(["migrate", "--data-dir", dataDir], { ...ISSUER, ...secret(open) });
  expect([status, stderr]).toEqual([0, expect.not.stringContaining("OIDC")]);
  rmSync(dataDir, { recursive: true });
});
