// Calendar files (RFC 5545) of dates to come: all-day events, written by hand. Pure.

import type { CalendarDate } from "../../kernel/date.ts";
import type { DatedItem } from "./dates.ts";

/** What a calendar shows. */
export interface CalendarShown {
  readonly orgId: string;
  /** What a calendar program calls it. */
  readonly name: string;
  /** When the calendar was made: a file of the same dates has the same bytes at any time. */
  readonly madeAt: string;
  /** Whether events name people, securities and records. */
  readonly showsNames: boolean;
  /** Whether its addresses are those of a holder's pages. */
  readonly isHolders: boolean;
  /** The URL that clients use, without a slash at its end. */
  readonly publicUrl: string;
  readonly items: readonly DatedItem[];
}

const PROGRAM = "-//captable//Dates//EN";
const REFRESH = "PT12H";

/** The file: lines that end in CR LF, none of more than 75 bytes. */
export function writeCalendar(shown: CalendarShown): string {
  const name = escaped(shown.showsNames ? shown.name : "captable");
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:${PROGRAM}`,
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...shown.items.flatMap((item) => eventOf(item, shown)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function eventOf(item: DatedItem, shown: CalendarShown): string[] {
  const { date, kind, resourceId, title, plainTitle } = item;
  return [
    "BEGIN:VEVENT",
    `UID:${kind}:${resourceId}:${date}@${shown.orgId}`,
    `DTSTAMP:${stampOf(shown.madeAt)}`,
    `DTSTART;VALUE=DATE:${basicOf(date)}`,
    `SUMMARY:${escaped(shown.showsNames ? title : plainTitle)}`,
    `URL:${shown.publicUrl}${pageOf(item, shown)}`,
    "CLASS:PRIVATE",
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

/** The dashboard's page of a date. */
export function pageOf(
  { resourceType, resourceId, securityId }: Pick<DatedItem, "resourceType" | "resourceId" | "securityId">,
  { orgId, isHolders }: Pick<CalendarShown, "orgId" | "isHolders">,
): string {
  const organization = `/o/${orgId}`;
  if (isHolders) return `${organization}/mine`;
  if (securityId !== null) return `${organization}/securities/${securityId}`;
  if (resourceType === "valuation") return `${organization}/valuations`;
  if (resourceType === "equity-plan") return `${organization}/classes-and-plans/plans/${resourceId}`;
  if (resourceType === "approval") return `${organization}/approvals/${resourceId}`;
  return organization;
}

function basicOf(date: CalendarDate): string {
  return date.replaceAll("-", "");
}

/** An instant in UTC, to the second. */
function stampOf(instant: string): string {
  return `${instant.slice(0, "2026-01-15T14:30:00".length).replaceAll(/[-:]/g, "")}Z`;
}

const BREAKS = /\r\n|[\n\r\u0085\u2028\u2029]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a line of the file must not have any
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text as a value: nothing of it ends the line, the value or the file. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(BREAKS, "\n")
    .replaceAll(CONTROLS, " ")
    .replaceAll(/[\\;,]/g, (mark) => `\\${mark}`)
    .replaceAll("\n", "\\n");
}

const LINE_BYTES_MAX = 75;

/** A line cut where it is too long, never within a character: what follows begins with a space. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= LINE_BYTES_MAX) return line;
  const lines: string[] = [];
  let current = "";
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES_MAX) {
      lines.push(current);
      [current, bytes] = [" ", 1];
    }
    current += character;
    bytes += size;
  }
  return [...lines, current].join("\r\n");
}
