// Packages that ask for much: an archive that unfolds without end, and more faults than are listed.
import { expect, test } from "bun:test";
import { zipSync } from "fflate";
import { packageOf } from "../../../src/exchange/ocf/package.ts";
import { validatePackage } from "../../../src/exchange/ocf/validate.ts";
import { Small } from "./fixture.ts";
import { readZip } from "./reading.ts";

const manifest = () => new Small().bytesOf("ocf_manifest.json");

test("an archive that unfolds without end", async () => {
  const zeros = new Uint8Array(64 * 1024 * 1024).fill(0x20);
  const bomb = zipSync({ "ocf_manifest.json": manifest(), "transactions.json": zeros }, { level: 6 });
  expect(bomb.length).toBeLessThan(300_000);
  const before = process.memoryUsage().arrayBuffers;
  await expect(readZip(bomb)).rejects.toThrow("times as large as packed");
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60 * 1024 * 1024);
});

test("more faults than a person could read", () => {
  const items = Array.from({ length: 60_000 }, () => ({ object_type: "STAKEHOLDER" }));
  const ocf = packageOf({}, { "stakeholders.json": { file_type: "OCF_STAKEHOLDERS_FILE", items } });
  const { problems, objects } = validatePackage(ocf);
  expect([problems.length, problems.at(-1)?.code, objects]).toEqual([100_001, "too-many-findings", 60_000]);
});
