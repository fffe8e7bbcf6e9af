import { describe, expect, test } from "bun:test";
import { shareTokenAbi, shareTokenFactoryAbi } from "../../../../src/tokens/chain/token/abi.ts";
import { artifactUrl, compileContracts } from "../support/compile.ts";

interface Parameter {
  readonly type: string;
  readonly indexed?: boolean;
}
interface Member {
  readonly type: string;
  readonly name?: string;
  readonly stateMutability?: string;
  readonly inputs?: readonly Parameter[];
  readonly outputs?: readonly Parameter[];
}

/** All that decides how a member is called, encoded and decoded; names of parameters do not. */
function shape({ type, name, stateMutability, inputs = [], outputs = [] }: Member): string {
  const taken = inputs.map((input) => `${input.type}${input.indexed ? " indexed" : ""}`).join();
  return `${type} ${name ?? ""}(${taken}) ${stateMutability ?? ""} (${outputs.map((output) => output.type).join()})`;
}

describe("the committed contracts", () => {
  test("are, byte for byte, what the committed compiler makes of the committed sources", async () => {
    const compiled = await compileContracts();
    expect(Object.keys(compiled)).toEqual(["ShareToken", "ShareTokenFactory"]);
    for (const [name, artifact] of Object.entries(compiled)) {
      expect(await Bun.file(artifactUrl(name)).json()).toEqual(artifact);
    }
  }, 60_000);

  const words: Record<string, readonly Member[]> = {
    ShareToken: shareTokenAbi,
    ShareTokenFactory: shareTokenFactoryAbi,
  };
  for (const [name, members] of Object.entries(words)) {
    test(`have in ${name} every member that the program's own words for it name`, async () => {
      const artifact: { abi: Member[] } = await Bun.file(artifactUrl(name)).json();
      const compiled = new Set(artifact.abi.map(shape));
      const missing = members.map(shape).filter((each) => !compiled.has(each));
      expect(missing).toEqual([]);
    });
  }
});
