// Sends mail by SMTP (nodemailer). Certificates are always checked, and nothing in a mail is read as a file or address.
import { rootCertificates } from "node:tls";
import nodemailer from "nodemailer";
import type { MailServer } from "./settings.ts";
import type { MailText } from "./texts.ts";

/** A mail as it goes out. */
export interface OutgoingMail extends MailText {
  /** The row's id, which is the message's too: a mail that goes twice has one id. */
  readonly id: string;
  readonly to: { readonly name: string; readonly address: string };
  /** The name beside the address that it comes from. */
  readonly fromName: string;
  readonly replyTo: string | null;
  /** Where a person turns mail of its kind off; null where that cannot be. */
  readonly unsubscribe: string | null;
}

/** Why a mail was not accepted, without what the mail server said: it may repeat the mail. */
export interface Refusal {
  readonly error: string;
  /** Whether trying again is of no use: the server refused this mail, and not the connection. */
  readonly isFinal: boolean;
}

const TIMES = {
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 30_000,
  dnsTimeout: 15_000,
} as const;
const CONNECTIONS_MAX = 4;
/** The commands that are about the mail itself. */
const OF_MAIL = ["MAIL FROM", "RCPT TO", "DATA"];
const REFUSED_FROM = 500;

/** A connection to the mail server, kept while mail goes out. */
export class MailSender {
  readonly #server: MailServer;
  readonly #transport: ReturnType<typeof transportTo>;

  constructor(server: MailServer) {
    this.#server = server;
    this.#transport = transportTo(server);
  }

  /** Sends a mail; resolves with null once the server has accepted it. */
  async send(mail: OutgoingMail): Promise<Refusal | null> {
    const { id, to, fromName, replyTo, unsubscribe, subject, lines } = mail;
    const { from } = this.#server;
    try {
      await this.#transport.sendMail({
        from: { name: plain(`${fromName} (captable)`), address: from },
        to: { name: plain(to.name), address: to.address },
        ...(replyTo === null ? {} : { replyTo: { name: "", address: replyTo } }),
        subject: plain(subject),
        text: `${lines.map(plain).join("\n\n")}\n`,
        messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
        headers: {
          "Auto-Submitted": "auto-generated",
          ...(unsubscribe === null ? {} : { "List-Unsubscribe": `<${unsubscribe}>` }),
        },
        envelope: { from, to: [to.address] },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      return null;
    } catch (error) {
      return refusalOf(error);
    }
  }

  close(): void {
    this.#transport.close();
  }
}

function transportTo({ host, port, tls, login, ca }: MailServer) {
  return nodemailer.createTransport({
    ...{ host, port, pool: true, maxConnections: CONNECTIONS_MAX, secure: tls === "tls" },
    ...{ requireTLS: tls === "starttls", ignoreTLS: tls === "none", disableFileAccess: true, disableUrlAccess: true },
    ...TIMES,
    tls: { servername: host, rejectUnauthorized: true, ...(ca === null ? {} : { ca: [...rootCertificates, ca] }) },
    ...(login === null ? {} : { auth: login }),
  });
}

/** Text on one line: a line break in a name would be a header of its own. */
function plain(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

function refusalOf(error: unknown): Refusal {
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown };
  const at = typeof command === "string" ? command : "";
  const isFinal = typeof responseCode === "number" && responseCode >= REFUSED_FROM && OF_MAIL.includes(at);
  const words = [
    typeof responseCode === "number" ? String(responseCode) : "",
    typeof code === "string" ? code : "",
    at,
  ];
  return {
    error:
      words
        .filter((word) => word !== "")
        .join(" ")
        .slice(0, 100) || "failed",
    isFinal,
  };
}
