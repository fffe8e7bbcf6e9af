// JSON is counted before it is parsed: what would take long to make is refused by its figure.
import { describe, expect, test } from "bun:test";
import { findFaults } from "../../src/kernel/check.ts";
import { body, text } from "../../src/kernel/fields.ts";
import { parseJson } from "../../src/kernel/parse-json.ts";
import { Problem } from "../../src/kernel/problem.ts";

/** What comes of parsing a text, and how often something was parsed for it. */
function parsed(json: string | Uint8Array, valuesMax?: number): { readonly came: unknown; readonly parses: number } {
  let parses = 0;
  const parse = (read: string) => {
    parses++;
    return JSON.parse(read);
  };
  try {
    return { came: parseJson(Buffer.from(json), parse, valuesMax), parses };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { came: `${error.slug}: ${error.detail}`, parses };
  }
}

describe("a body", () => {
  const nested = (open: string, inner: string, close: string, levels: number) =>
    `${open.repeat(levels)}${inner}${close.repeat(levels)}`;

  test.each([
    ["[", "", "]"],
    ['{"a":', "1", "}"],
    ['[{"[[":', '"]]\\"[["', "}]"],
  ])("is nested up to 64 levels of %s", (open, inner, close) => {
    const each = open.startsWith("[{") ? 2 : 1;
    const allowed = nested(open, inner, close, 64 / each);
    expect(parsed(allowed)).toEqual({ came: JSON.parse(allowed), parses: 1 });
    const came = "malformed-json: The body is nested deeper than 64 levels.";
    expect(parsed(`[${allowed}]`)).toEqual({ came, parses: 0 });
  });

  test("that opens without end is not parsed", () => {
    const came = "malformed-json: The body is nested deeper than 64 levels.";
    expect(parsed("[".repeat(2 ** 20))).toEqual({ came, parses: 0 });
  });

  test("of more values than are allowed is not parsed", () => {
    const list = JSON.stringify(Array.from({ length: 99 }, () => []));
    expect(parsed(list, 100)).toEqual({ came: JSON.parse(list), parses: 1 });
    const came = "payload-too-large: The body has more than 99 values of JSON.";
    expect(parsed(list, 99)).toEqual({ came, parses: 0 });
  });

  test("that is not UTF-8 or not JSON is refused so", () => {
    expect(parsed(Uint8Array.of(0x22, 0xff, 0x22)).came).toBe("malformed-json: The body is not valid UTF-8.");
    for (const broken of ["[1,]", '"', "[]]", "}", "", '{"a"}']) {
      expect([broken, parsed(broken).came]).toEqual([broken, "malformed-json: The body is not valid JSON."]);
    }
  });
});

test("of a value that is faulty all through the first thousand faults are given", () => {
  const given = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, 0]));
  const faults = findFaults(body({ name: text(10) }), { ...given, name: "Ada" });
  expect(faults).toHaveLength(1000);
  expect(faults[0]).toEqual({ path: "/m0", detail: "is not a member that this operation accepts" });
});
