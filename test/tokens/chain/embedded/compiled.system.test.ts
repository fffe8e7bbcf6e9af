// The worker must also be found inside the executable. This builds a small one as the program's own build must do it:
// both entry points, file names without folders, ES modules.
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { removeTemporaryFolders, temporaryFolder } from "../support/people.ts";

afterAll(removeTemporaryFolders);

test("the embedded chain works in a compiled program, away from its sources", async () => {
  const folder = temporaryFolder();
  const outfile = join(folder, "program");
  const source = new URL("../../../../src/tokens/chain/embedded/", import.meta.url).pathname;
  const main = join(folder, "main.ts");
  await Bun.write(
    main,
    `import { openEmbeddedChain } from ${JSON.stringify(`${source}open.ts`)};
     const chain = await openEmbeddedChain(process.argv[2]);
     console.log((await chain.identity()).chainId, String(await chain.head()));
     await chain.close();`,
  );
  const nativeTarget = `better-sqlite3/${process.platform}-${process.arch}`;
  const built = await Bun.build({
    entrypoints: [main, `${source}worker.ts`],
    naming: "[name].[ext]",
    format: "esm",
    compile: { outfile },
    plugins: [
      {
        name: "native addon",
        setup(build) {
          build.onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: Bun.resolveSync(nativeTarget, source) }));
        },
      },
    ],
  });
  expect(built.success).toBe(true);
  const child = Bun.spawn([outfile, folder], { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect({ output, errors, status: await child.exited }).toEqual({ output: "31338 0\n", errors: "", status: 0 });
}, 60_000);
