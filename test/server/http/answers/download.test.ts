// What an attachment is called: nothing of the name may end the header, choose a folder, or get lost.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { contentDisposition } from "../../../../src/server/http/answers/download.ts";

test("a plain name goes as it is, without its folders", () => {
  expect(contentDisposition("deed.pdf")).toBe('attachment; filename="deed.pdf"');
  expect(contentDisposition("2026/board/deed.pdf")).toBe('attachment; filename="deed.pdf"');
  expect(contentDisposition("..\\..\\deed.pdf")).toBe('attachment; filename="deed.pdf"');
  expect(contentDisposition("folder/")).toBe('attachment; filename="file"');
});

test("another name goes twice: made plain, and exact", () => {
  expect(contentDisposition('a"b.pdf')).toBe(`attachment; filename="a_b.pdf"; filename*=UTF-8''a%22b.pdf`);
  expect(contentDisposition("Übertrag (1).pdf")).toBe(
    `attachment; filename="_bertrag (1).pdf"; filename*=UTF-8''%C3%9Cbertrag%20%281%29.pdf`,
  );
  expect(contentDisposition("a\r\nset-cookie: x.pdf")).not.toMatch(/[\r\n]/);
});

test("whatever the name, the header is one safe line of bounded length", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (name) => {
      const header = contentDisposition(name);
      expect(header).toMatch(/^attachment; filename="[^"\\/%]+"(; filename\*=UTF-8''[A-Za-z0-9%._~!-]+)?$/);
      expect(header.length).toBeLessThan(2100);
      expect(() => new Headers({ "content-disposition": header })).not.toThrow();
    }),
  );
});
