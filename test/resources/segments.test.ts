import { expect, test } from "bun:test";
import { nounOfSegment, segmentOf } from "../../src/resources/segments.ts";

const PAIRS = [
  ["share-class", "share-classes"],
  ["security", "securities"],
  ["vesting-terms", "vesting-terms"],
  ["approval-step", "steps"],
  ["stakeholder", "stakeholders"],
  ["api-key", "api-keys"],
] as const;

test.each(PAIRS)("a %s is found under %s, and the other way round", (noun, segment) => {
  expect(segmentOf(noun)).toBe(segment);
  expect(nounOfSegment(segment)).toBe(noun);
});
