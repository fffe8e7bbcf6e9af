// LibreOffice as another program that reads workbooks: told to recalculate every formula on load, and to say what it got.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where it is; null where it is not installed. */
export const OFFICE = Bun.which("soffice");

const ALWAYS = 0;
const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse">
<value>${ALWAYS}</value></prop></item></oor:items>`;

/** Of a few hundred files at once it leaves some out, and says nothing. */
const AT_ONCE = 50;

/** Converts workbooks, given by name; returns what comes out by the same names. */
export async function convert(
  files: ReadonlyMap<string, Uint8Array>,
  to: "xlsx" | "pdf",
): Promise<ReadonlyMap<string, Uint8Array>> {
  const [all, made] = [[...files], new Map<string, Uint8Array>()];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    for (const [name, bytes] of await convertFew(new Map(all.slice(at, at + AT_ONCE)), to)) made.set(name, bytes);
  }
  return made;
}

async function convertFew(files: ReadonlyMap<string, Uint8Array>, to: string): Promise<Map<string, Uint8Array>> {
  if (!OFFICE) throw new Error("LibreOffice is not installed");
  const folder = mkdtempSync(join(tmpdir(), "captable-office-"));
  try {
    const [input, output, profile] = ["in", "out", "profile/user"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const each of [input, output, profile]) mkdirSync(each, { recursive: true });
    writeFileSync(join(profile, "registrymodifications.xcu"), SETTINGS);
    for (const [name, bytes] of files) writeFileSync(join(input, `${name}.xlsx`), bytes);
    const child = Bun.spawn(
      [
        OFFICE,
        `-env:UserInstallation=file://${join(folder, "profile")}`,
        "--headless",
        "--convert-to",
        to,
        "--outdir",
        output,
        ...[...files.keys()].map((name) => join(input, `${name}.xlsx`)),
      ],
      { stdout: "ignore", stderr: "pipe" },
    );
    const said = await new Response(child.stderr).text();
    if ((await child.exited) !== 0) throw new Error(said);
    const made = readdirSync(output).map(async (name) => {
      return [name.replace(/\.\w+$/, ""), await Bun.file(join(output, name)).bytes()] as const;
    });
    return new Map(await Promise.all(made));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
