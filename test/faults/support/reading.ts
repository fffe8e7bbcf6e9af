// Everything that the API says of a data directory: its lists, totals and export. For comparing what a damaged one says
// with what it said before.
import { unzipSync } from "fflate";
import type { Running } from "./serve.ts";

const LISTS = [
  ...["stakeholders", "share-classes", "securities", "valuations", "equity-plans", "vesting-terms"],
  ...["vesting-milestones", "corporate-actions", "approvals", "documents", "stock-legends", "transactions"],
];
const OTHERS = ["/organization", "/cap-table/summary", "/cap-table?asOf=2026-06-01&knownAt=2100-01-01T00:00:00.000Z"];

/** Every answer by path; the export as its files. A path that is not answered with 200 has its status. */
export async function readEverything(running: Running, key: string): Promise<Map<string, string>> {
  const said = new Map<string, string>();
  for (const path of [...LISTS.map((name) => `/${name}?limit=100`), ...OTHERS]) {
    const answer = await running.call("GET", path);
    said.set(path, answer === null ? "none" : answer.status === 200 ? answer.text : String(answer.status));
  }
  for (const [name, content] of Object.entries(await exportOf(running, key))) {
    const text = new TextDecoder().decode(content);
    said.set(name, text.replace(/"file_generated_at": ?"[^"]*"|"generated_at": ?"[^"]*"/g, ""));
  }
  return said;
}

/** The export's files; none where the server ended before it was whole. */
async function exportOf(running: Running, key: string): Promise<Record<string, Uint8Array>> {
  try {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${running.url}/api/v1/cap-table/ocf-export`, { headers });
    return answer.status === 200 ? unzipSync(new Uint8Array(await answer.arrayBuffer())) : {};
  } catch {
    return {};
  }
}

/** The paths and files in which two readings differ. */
export function differingAnswers(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
}
