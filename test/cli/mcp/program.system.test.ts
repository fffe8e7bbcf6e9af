// `captable mcp` as it is started: clients of both eras, what stands on standard output, how it ends.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { asking } from "../../kit/company.ts";
import { makeSampleCompany } from "../../kit/sample.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { call, clientOf, ERAS, programTransport } from "./support.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await makeSampleCompany(asking(server.url, await server.key("ADMIN")));
});
afterAll(() => server.stop());

test.each(ERAS)("a client of %s reads the summary from the program", async (era) => {
  const client = clientOf(era);
  await client.connect(programTransport(server.url, await server.key("VIEWER")));
  expect(client.getNegotiatedProtocolVersion()).toBe(era);
  const { data, text } = await call(client, "get_summary");
  expect(data.organization.legalName).toBe("Acme Robotics, Inc.");
  expect(data.summary.totalIssued).toBe("14114375");
  expect(JSON.parse(text)).toEqual(data);
  await client.close();
});
