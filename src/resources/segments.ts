// Segments of the API's paths and the nouns of their records: a `share-class` is found under `share-classes`.

/** Segments that are not the noun with an s. */
const SEGMENTS: Readonly<Record<string, string>> = {
  "share-class": "share-classes",
  security: "securities",
  "vesting-terms": "vesting-terms",
  "approval-step": "steps",
};

const NOUNS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SEGMENTS).map(([noun, segment]) => [segment, noun]),
);

/** The segment under which records of a noun are found. */
export function segmentOf(noun: string): string {
  return SEGMENTS[noun] ?? `${noun}s`;
}

/** The noun of a segment's records. */
export function nounOfSegment(segment: string): string {
  return NOUNS[segment] ?? segment.replace(/s$/, "");
}
