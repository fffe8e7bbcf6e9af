// Compiles the token's contracts as they are committed. Run it after a change of a contract, to write the JSON anew:
// `bun test/tokens/chain/support/compile.ts`. The compiler is a development dependency and never part of the program.
import { createRequire } from "node:module";

const SOURCES = new URL("../../../../src/tokens/chain/token/", import.meta.url);
const CONTRACTS = ["ShareToken", "ShareTokenFactory"] as const;

interface Artifact {
  readonly abi: readonly unknown[];
  readonly bytecode: `0x${string}`;
  readonly deployedBytecode: `0x${string}`;
}
interface CompilerOutput {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Record<
    string,
    Record<
      string,
      {
        readonly abi: readonly unknown[];
        readonly evm: { readonly bytecode: { object: string }; readonly deployedBytecode: { object: string } };
      }
    >
  >;
}
interface Compiler {
  compile(input: string, callbacks: { import: (path: string) => { contents: string } | { error: string } }): string;
}

/** Where the committed JSON of a contract is. */
export function artifactUrl(contract: string): URL {
  return new URL(`${contract}.json`, SOURCES);
}

/** Compiles both contracts: for every EVM chain (`paris`), and to the same bytes on every machine (no metadata). */
export async function compileContracts(): Promise<Record<string, Artifact>> {
  const require = createRequire(import.meta.url);
  const solc: Compiler = require("solc");
  const openZeppelin = new URL("./", Bun.pathToFileURL(require.resolve("@openzeppelin/contracts/package.json")));
  const texts = new Map<string, string>();
  const load = async (path: string): Promise<void> => {
    if (texts.has(path)) return;
    const file = path.startsWith("@")
      ? new URL(path.split("/").slice(2).join("/"), openZeppelin)
      : new URL(path, SOURCES);
    const text = await Bun.file(file).text();
    texts.set(path, text);
    for (const [, found] of text.matchAll(/^import .*"([^"]+)";/gm)) {
      const base = new URL(path, "file:///");
      await load(found?.startsWith(".") ? new URL(found, base).pathname.slice(1) : (found ?? ""));
    }
  };
  for (const contract of CONTRACTS) await load(`${contract}.sol`);
  const input = {
    language: "Solidity",
    sources: Object.fromEntries([...texts].map(([path, content]) => [path, { content }])),
    settings: {
      evmVersion: "paris",
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  };
  const output: CompilerOutput = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (path) => ({ error: `not loaded: ${path}` }) }),
  );
  if (output.errors) throw new Error(output.errors.map((each) => each.formattedMessage).join("\n"));
  return Object.fromEntries(
    CONTRACTS.map((name) => {
      const contract = output.contracts[`${name}.sol`]?.[name];
      if (!contract) throw new Error(`the compiler made no ${name}`);
      const { bytecode, deployedBytecode } = contract.evm;
      return [
        name,
        { abi: contract.abi, bytecode: `0x${bytecode.object}`, deployedBytecode: `0x${deployedBytecode.object}` },
      ];
    }),
  );
}

if (import.meta.main) {
  for (const [name, artifact] of Object.entries(await compileContracts())) {
    await Bun.write(artifactUrl(name), `${JSON.stringify(artifact, null, 1)}\n`);
  }
}
