// The one place that calls the bundler: makes of the pages' sources what a browser loads. Used by files.ts in a checkout,
// by .ci/build.ts for the executable, and by tests.
import { join } from "node:path";

const FOLDER = import.meta.dir;
const ROOT = join(FOLDER, "../..");
const FONTS = join(ROOT, "node_modules/@fontsource-variable/inter");
/** The most that can be done for gzip: it is done once, and sent often. A thirtieth less than zlib makes of it. */
const GZIP = { library: "libdeflate", level: 12 } as const;

/** A file that was built, as it is sent. */
export interface BuiltFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isGzipped: boolean;
}

/** The pages, and every file that went into them, by its path in the checkout. */
export interface BuiltPages {
  readonly html: string;
  readonly files: readonly BuiltFile[];
  readonly inputs: readonly string[];
}

/** Builds the pages. Rejects with an `AggregateError` of what is wrong in them. */
export async function buildPages({ isDev = false } = {}): Promise<BuiltPages> {
  const [shell, fonts] = await Promise.all([Bun.file(join(FOLDER, "index.html")).text(), readFonts()]);
  const result = await Bun.build({
    entrypoints: [join(FOLDER, "app.tsx"), join(FOLDER, "styles/app.css")],
    root: FOLDER,
    target: "browser",
    format: "esm",
    splitting: true,
    minify: !isDev,
    metafile: true,
    publicPath: "/assets/",
    naming: { entry: "[name]-[hash].[ext]", chunk: "part-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    // Else fonts are written into the styles, a third larger.
    external: ["/assets/*"],
    define: { "process.env.NODE_ENV": '"production"', DEV: String(isDev) },
    throw: false,
  });
  if (!result.success || result.metafile === undefined) throw new AggregateError(result.logs, "the pages do not build");
  const built = await Promise.all(
    result.outputs.map(async (output) => {
      const name = output.path.split("/").at(-1) ?? "";
      const bytes = Bun.gzipSync(new Uint8Array(await output.arrayBuffer()), GZIP);
      return { name, bytes, isGzipped: true, isEntry: output.kind !== "chunk" };
    }),
  );
  const nameOf = (end: string) =>
    built.find(({ name, isEntry }) => isEntry && name.startsWith("app-") && name.endsWith(end))?.name ?? "";
  const [font] = fonts;
  const html = shell
    .replace("{script}", nameOf(".js"))
    .replace("{styles}", nameOf(".css"))
    .replace("{font}", font?.name ?? "");
  return { html, files: [...built, ...fonts], inputs: Object.keys(result.metafile.inputs) };
}

/** The fonts, under names with their version: the styles name them so. */
async function readFonts(): Promise<BuiltFile[]> {
  const { version } = await Bun.file(join(FONTS, "package.json")).json();
  return Promise.all(
    ["latin", "latin-ext"].map(async (subset) => ({
      name: `inter-${version}-${subset}.woff2`,
      bytes: await Bun.file(join(FONTS, `files/inter-${subset}-wght-normal.woff2`)).bytes(),
      isGzipped: false,
    })),
  );
}
