// Profiles of `captable api`, and which server and key a command takes: a profile's key goes to its own server alone.
import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../kit/command.ts";
import { fileOf, folder, KEY, keyFile, recorder } from "./support.ts";

const config = join(folder, "config");
const file = join(config, "captable/profiles.json");
const NAMES = ["XDG_CONFIG_HOME", "CAPTABLE_SERVER", "CAPTABLE_KEY_FILE", "CAPTABLE_PROFILE"] as const;
const before = NAMES.map((name) => [name, process.env[name]] as const);
const OTHER = "pg_test_OtherOtherOther";
const otherFile = fileOf("other", OTHER);

const servers = [recorder(() => Response.json({})), recorder(() => Response.json({}))] as const;
const [here, there] = servers;

function clear() {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
beforeEach(() => {
  for (const name of NAMES) delete process.env[name];
  process.env.XDG_CONFIG_HOME = config;
  rmSync(config, { recursive: true, force: true });
  for (const { got } of servers) got.length = 0;
});
afterEach(clear);
afterAll(() => {
  for (const { stop } of servers) stop();
});

const api = (...words: string[]) => runCommand(["api", ...words]);
const add = (name: string, server: string, ...more: string[]) =>
  api("profile", "add", name, "--server", server, "--key-file", keyFile, ...more);
/** Who was asked, and with which keys. */
const asked = () =>
  servers.map(({ got }) => got.map(({ headers }) => headers.get("authorization")?.slice("Bearer ".length)));

test("a profile is added, listed, changed and removed; the file is for its owner, and has no key", async () => {
  expect((await api("profile", "list")).stdout).toBe("none\n");
  expect((await add("here", here.url, "--default")).status).toBe(0);
  expect((await add("there", there.url)).status).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(config, "captable")).mode & 0o777).toBe(0o700);
  expect(readFileSync(file, "utf8")).not.toContain(KEY);
  const listed = JSON.parse((await api("profile", "list", "--json")).stdout);
  expect(listed).toEqual([
    { name: "here", server: here.url, keyFile, isDefault: true },
    { name: "there", server: there.url, keyFile, isDefault: false },
  ]);
  expect((await api("profile", "remove", "here")).status).toBe(0);
  expect((await api("profile", "remove", "here")).status).toBe(3);
  expect(JSON.parse((await api("profile", "list", "--json")).stdout)).toHaveLength(1);
  expect((await api("organization", "get")).status).toBe(2);
});

test("names, servers and key files are looked at when a profile is added", async () => {
  expect((await add("a b", here.url)).status).toBe(2);
  expect((await add("-x", here.url)).status).toBe(2);
  expect((await add("x", "cap.example.com")).status).toBe(2);
  expect((await add("x", "http://cap.example.com")).status).toBe(2);
  expect((await add("x", "http://cap.example.com", "--allow-http")).status).toBe(0);
  const none = await api("profile", "add", "y", "--server", here.url, "--key-file", join(folder, "none"));
  expect(none.status).toBe(2);
});

test("options go before the environment, that before profiles, and those before this machine", async () => {
  await add("here", here.url, "--default");
  await add("there", there.url);
  await api("organization", "get");
  await api("organization", "get", "--profile", "there");
  process.env.CAPTABLE_PROFILE = "there";
  await api("organization", "get");
  process.env.CAPTABLE_SERVER = here.url;
  process.env.CAPTABLE_KEY_FILE = otherFile;
  await api("organization", "get");
  await api("organization", "get", "--server", there.url, "--key-file", keyFile);
  expect(asked()).toEqual([
    [KEY, OTHER],
    [KEY, KEY, KEY],
  ]);
});

test("a profile's key goes to no other server, and a profile beside another choice is refused", async () => {
  await add("here", here.url, "--default");
  const other = await api("organization", "get", "--server", there.url);
  expect([other.status, other.stdout]).toEqual([2, ""]);
  process.env.CAPTABLE_SERVER = there.url;
  expect((await api("organization", "get")).status).toBe(2);
  expect((await api("organization", "get", "--profile", "here")).status).toBe(2);
  delete process.env.CAPTABLE_SERVER;
  expect((await api("organization", "get", "--profile", "here", "--server", there.url)).status).toBe(2);
  expect((await api("organization", "get", "--profile", "nope")).status).toBe(2);
  expect(asked()).toEqual([[], []]);
  expect((await api("organization", "get", "--key-file", otherFile)).status).toBe(0);
  expect(asked()).toEqual([[OTHER], []]);
});

test("a file of profiles that others can change, or that is damaged, is refused", async () => {
  await add("here", here.url, "--default");
  chmodSync(file, 0o666);
  expect((await api("organization", "get")).status).toBe(2);
  chmodSync(file, 0o600);
  for (const text of ["{", "[]", '{"profiles":{"a":{}}}', "null", '{"profiles":[1]}']) {
    writeFileSync(file, text);
    const { status } = await api("organization", "get");
    expect([text, status]).toEqual([text, 2]);
  }
  expect(existsSync(file)).toBe(true);
  expect(asked()).toEqual([[], []]);
});
