// Builds `dist/captable`, one executable with everything in it: `bun run build [target …]`. A target is one of TARGETS
// below; the default is this machine's. Each gets the SQLite addon of its own platform.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandsOf } from "../cli/api/from-routes.ts";
import { allRoutes } from "../src/server/routes.ts";
import { type BuiltPages, buildPages } from "../src/web/build.ts";
import { packedClientFile } from "./build-client.ts";

const ROOT = join(import.meta.dir, "..");

/** Bun's name of a target, and the SQLite addon that belongs to it. */
export const TARGETS = {
  "linux-x64": { bun: "bun-linux-x64", addon: "linux-x64" },
  "linux-arm64": { bun: "bun-linux-arm64", addon: "linux-arm64" },
  "linux-x64-musl": { bun: "bun-linux-x64-musl", addon: "linuxmusl-x64" },
  "linux-arm64-musl": { bun: "bun-linux-arm64-musl", addon: "linuxmusl-arm64" },
  "darwin-arm64": { bun: "bun-darwin-arm64", addon: "darwin-arm64" },
} as const;
export type Target = keyof typeof TARGETS;

function isTarget(name: string): name is Target {
  return name in TARGETS;
}

/** Nothing of the folder in which the executable is started may have a say in what it does. */
const READS_NOTHING = {
  autoloadDotenv: false,
  autoloadBunfig: false,
  autoloadTsconfig: false,
  autoloadPackageJson: false,
} as const;

/** This machine's target. Throws if no target is for this machine. */
export function ownTarget(): Target {
  const here = `${process.platform}-${process.arch}`;
  if (isTarget(here)) return here;
  throw new Error(`no target for this machine (${here}); name one of ${Object.keys(TARGETS).join(", ")}`);
}

/**
 * Builds the executable `outfile`; `reads` says what Bun reads of the folder in which that is started. Returns every file
 * that went into it, by its path in the checkout. Rejects with an `AggregateError` of what went wrong.
 */
export async function build(target: Target, outfile: string, reads: object = READS_NOTHING): Promise<string[]> {
  const pages = await buildPages();
  const folder = mkdtempSync(join(tmpdir(), "captable-pages-"));
  try {
    const made = {
      pages: await pagesModule(pages, folder),
      client: clientModule(await packedClientFile()),
      commands: commandsModule(),
    };
    const program = await buildProgram(target, { outfile, reads, made });
    return [...program, ...pages.inputs];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the pages' files into a folder, and returns the module that the executable has in place of src/web/files.ts. */
async function pagesModule({ html, files }: BuiltPages, folder: string): Promise<string> {
  for (const { name, bytes } of files) await Bun.write(join(folder, name), bytes);
  const imports = files.map(({ name }, index) => {
    return `import file${index} from ${JSON.stringify(join(folder, name))} with { type: "file" };`;
  });
  const entries = files.map(({ name, isGzipped }, index) => {
    const said = `name: ${JSON.stringify(name)}, isGzipped: ${isGzipped}`;
    return `[${JSON.stringify(name)}, { ${said}, contentType: contentTypeOf(${JSON.stringify(name)}),
      bytes: () => Bun.file(file${index}).bytes() }],`;
  });
  return `${imports.join("\n")}
import { contentTypeOf } from ${JSON.stringify(join(ROOT, "src/web/asset.ts"))};
const files = { html: ${JSON.stringify(html)}, assets: new Map([\n${entries.join("\n")}\n]) };
export const webFiles = () => Promise.resolve(files);
export const nextChange = null;
`;
}

/** The module that the executable has in place of cli/operating/packed-client.ts. */
function clientModule(file: string): string {
  return `import file from ${JSON.stringify(file)} with { type: "file" };
export const packedClient = () => Bun.file(file).bytes();
`;
}

/** The module that the executable has in place of cli/api/command-table.ts. */
function commandsModule(): string {
  const table = JSON.stringify(commandsOf(allRoutes("production")));
  return `export const readCommands = () => Promise.resolve(JSON.parse(${JSON.stringify(table)}));\n`;
}

/** What is built, and the modules that are made for it. */
interface Plan {
  readonly outfile: string;
  readonly reads: object;
  readonly made: { readonly pages: string; readonly client: string; readonly commands: string };
}

async function buildProgram(target: Target, { outfile, reads, made }: Plan): Promise<string[]> {
  const { bun, addon } = TARGETS[target];
  const result = await Bun.build({
    // Threads have files of their own, which must be found beside the program inside the executable.
    entrypoints: [
      "cli/main.ts",
      "src/tokens/chain/embedded/worker.ts",
      "src/server/threads/read/read-thread.ts",
      "src/server/threads/write/write-thread.ts",
      "src/server/threads/import/import-thread.ts",
      "src/server/threads/follow/follow-thread.ts",
      "src/storage/data-dir/copy-thread.ts",
      "src/safekeeping/verify/walk-thread.ts",
    ].map((file) => join(ROOT, file)),
    naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]" },
    format: "esm",
    // What a command imports when it needs it is read from the executable only then.
    splitting: true,
    compile: { target: bun, outfile, ...reads },
    bytecode: true,
    metafile: true,
    minify: { whitespace: true, syntax: true, identifiers: false },
    plugins: [
      {
        name: "the SQLite addon of the target",
        setup(builder) {
          builder.onResolve({ filter: /^better-sqlite3$/ }, () => ({
            path: Bun.resolveSync(`better-sqlite3/${addon}`, ROOT),
          }));
        },
      },
      {
        name: "the finished pages, the packed client, the table of commands",
        setup(builder) {
          const { pages, client, commands } = made;
          builder.onLoad({ filter: /src\/web\/files\.ts$/ }, () => ({ contents: pages, loader: "ts" }));
          builder.onLoad({ filter: /cli\/api\/command-table\.ts$/ }, () => ({ contents: commands, loader: "ts" }));
          builder.onLoad({ filter: /cli\/operating\/packed-client\.ts$/ }, () => ({ contents: client, loader: "ts" }));
        },
      },
    ],
  });
  if (!result.success || result.metafile === undefined) {
    throw new AggregateError(result.logs, `building ${target} failed`);
  }
  return Object.keys(result.metafile.inputs);
}

async function main(asked: readonly string[]): Promise<void> {
  const unknown = asked.filter((name) => !isTarget(name));
  if (unknown.length > 0)
    throw new Error(`no target ${unknown.join(", ")}; there are ${Object.keys(TARGETS).join(", ")}`);
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  const wanted = asked.filter(isTarget).map((name) => [name, `captable-${name}`] as const);
  for (const [target, name] of wanted.length > 0 ? wanted : [[ownTarget(), "captable"] as const]) {
    const outfile = join(ROOT, "dist", name);
    await build(target, outfile);
    process.stdout.write(`built ${outfile}\n`);
  }
}

if (import.meta.main) await main(process.argv.slice(2));
