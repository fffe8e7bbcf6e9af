// The settings of mail: what is missing, wrong or unsafe is refused before anything is opened.
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig, SettingError } from "../../../src/server/config.ts";
import { configuredMail } from "../../../src/server/service/mail-start.ts";

const folder = mkdtempSync(join(tmpdir(), "captable-mail-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const password = join(folder, "password");
writeFileSync(password, "secret words\n");
chmodSync(password, 0o600);
const open = join(folder, "open");
writeFileSync(open, "secret words\n");
chmodSync(open, 0o644);

const HOST = { CAPTABLE_MAIL_HOST: "smtp.example.com" };
const FROM = { ...HOST, CAPTABLE_MAIL_FROM: "captable@example.com", CAPTABLE_PUBLIC_URL: "https://cap.example.com" };
const of = (environment: Record<string, string>) => configuredMail(readConfig({}, environment));

test("a mail server is named by host and sender, and has STARTTLS on port 587", () => {
  expect(of({})).toBeNull();
  expect(of(FROM)).toEqual({
    ...{ host: "smtp.example.com", port: 587, from: "captable@example.com", tls: "starttls", login: null, ca: null },
  });
  const login = { CAPTABLE_MAIL_USER: "me", CAPTABLE_MAIL_PASSWORD_FILE: password };
  expect(of({ ...FROM, ...login, CAPTABLE_MAIL_TLS: "tls", CAPTABLE_MAIL_PORT: "465" })).toMatchObject({
    ...{ port: 465, tls: "tls", login: { user: "me", pass: "secret words" } },
  });
  expect(of({ ...FROM, CAPTABLE_MAIL_HOST: "127.0.0.1", CAPTABLE_MAIL_TLS: "none" })).toMatchObject({ tls: "none" });
  expect(of({ ...FROM, CAPTABLE_PUBLIC_URL: "http://localhost:8080" })).not.toBeNull();
});

test.each([
  [HOST, "CAPTABLE_MAIL_FROM"],
  [{ CAPTABLE_MAIL_FROM: "captable@example.com" }, "CAPTABLE_MAIL_HOST"],
  [{ CAPTABLE_MAIL_USER: "me" }, "CAPTABLE_MAIL_HOST"],
  [{ ...FROM, CAPTABLE_MAIL_FROM: "Captable <captable@example.com>" }, "CAPTABLE_MAIL_FROM"],
  [{ ...FROM, CAPTABLE_MAIL_FROM: "a@b.example\r\nBcc: c@d.example" }, "CAPTABLE_MAIL_FROM"],
  [{ ...FROM, CAPTABLE_MAIL_HOST: "smtp.example.com/x" }, "CAPTABLE_MAIL_HOST"],
  [{ ...FROM, CAPTABLE_MAIL_PORT: "0" }, "CAPTABLE_MAIL_PORT"],
  [{ ...FROM, CAPTABLE_MAIL_TLS: "ssl" }, "CAPTABLE_MAIL_TLS"],
  [{ ...FROM, CAPTABLE_MAIL_TLS: "none" }, "CAPTABLE_MAIL_TLS"],
  [{ ...FROM, CAPTABLE_MAIL_USER: "me" }, "CAPTABLE_MAIL_PASSWORD_FILE"],
  [{ ...FROM, CAPTABLE_MAIL_PASSWORD_FILE: password }, "CAPTABLE_MAIL_USER"],
  [{ ...FROM, CAPTABLE_MAIL_USER: "me", CAPTABLE_MAIL_PASSWORD_FILE: open }, "CAPTABLE_MAIL_PASSWORD_FILE"],
  [{ ...FROM, CAPTABLE_MAIL_USER: "me", CAPTABLE_MAIL_PASSWORD_FILE: "/none" }, "CAPTABLE_MAIL_PASSWORD_FILE"],
  [{ ...FROM, CAPTABLE_MAIL_CA_FILE: "/none" }, "CAPTABLE_MAIL_CA_FILE"],
  [{ ...FROM, CAPTABLE_PUBLIC_URL: "http://cap.example.com" }, "CAPTABLE_PUBLIC_URL"],
])("%j is refused, naming %s", (environment, named) => {
  const refused = () => of(environment as Record<string, string>);
  expect(refused).toThrow(SettingError);
  expect(refused).toThrow(named);
  expect(refused).not.toThrow("secret words");
});
