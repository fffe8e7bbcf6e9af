// docs/integrate.md, assistants: the settings of a client as they stand, and its table of tools.
import { expect, test } from "bun:test";
import { mcpCommand } from "../../cli/mcp/mcp.ts";
import { connectHere } from "../cli/mcp/support.ts";
import { startTestServer } from "../kit/service.ts";

const guide = await Bun.file("docs/integrate.md").text();
const section = guide.split(/^## /m).find((each) => each.startsWith("Assistants")) ?? "";

test("the settings of a client have options of the command, and the table has every tool, resource and prompt", async () => {
  const [, json = "{}"] = /```json\n([\s\S]*?)```/.exec(section) ?? [];
  const { command, args } = JSON.parse(json).mcpServers.captable;
  expect([command, args[0]]).toEqual(["captable", "mcp"]);
  const { unknown, operands } = mcpCommand().parseOptions(args.slice(1));
  expect([unknown, operands]).toEqual([[], []]);
  expect(mcpCommand().parseOptions(["--allow-writes", "--confirm", "tool"]).unknown).toEqual([]);
  expect(mcpCommand().parseOptions(["--allow-wishes"]).unknown).toEqual(["--allow-wishes"]);
  const server = await startTestServer();
  const client = await connectHere({ url: server.url, key: await server.key("EDITOR") }, { era: "2026-07-28" });
  const { tools } = await client.listTools();
  const rows = [...section.matchAll(/^\| (`.*?) \| /gm)].map(([, names = ""]) => names);
  const named = [...rows.join().matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  expect(named.sort()).toEqual(tools.map(({ name }) => name).sort());
  for (const { name } of (await client.listPrompts()).prompts) expect(section).toContain(`\`${name}\``);
  const { resourceTemplates } = await client.listResourceTemplates();
  for (const { uriTemplate } of resourceTemplates) expect(section).toContain(uriTemplate.replace("{?asOf}", "?asOf="));
  await client.close();
  await server.stop();
});
