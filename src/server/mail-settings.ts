// The settings of mail: the mail server, and who sends.
import { anyText, hostName, mailAddress, PORT_MAX, setting, wholeNumber, word } from "./setting-values.ts";

/** Each with its explanation. */
export const MAIL_SETTINGS = {
  mailHost: setting({
    variable: "CAPTABLE_MAIL_HOST",
    default: null,
    allowed: "a host name or address",
    doc: "the mail server (SMTP) by which the service sends mail; without it, it sends none; needs the one that follows",
    parse: hostName,
  }),
  mailFrom: setting({
    variable: "CAPTABLE_MAIL_FROM",
    default: null,
    allowed: "an e-mail address",
    doc: "the address that mail comes from",
    parse: mailAddress,
  }),
  mailPort: setting({
    variable: "CAPTABLE_MAIL_PORT",
    default: "587",
    allowed: `a number from 1 to ${PORT_MAX}`,
    doc: "the mail server's port",
    parse: wholeNumber(1, PORT_MAX),
  }),
  mailTls: setting({
    variable: "CAPTABLE_MAIL_TLS",
    default: "starttls",
    allowed: "starttls, tls, or none, which is for a mail server on this machine alone",
    doc: "how the connection is encrypted: starttls, tls from its beginning, or none on this machine",
    parse: word("starttls", "tls", "none"),
  }),
  mailUser: setting({
    variable: "CAPTABLE_MAIL_USER",
    default: null,
    allowed: "a user name",
    doc: "the user that the mail server asks for; needs the one that follows",
    parse: anyText,
  }),
  mailPasswordFile: setting({
    variable: "CAPTABLE_MAIL_PASSWORD_FILE",
    default: null,
    allowed: "a file",
    doc: "the password of that user, readable by its owner only",
    parse: anyText,
  }),
  mailCaFile: setting({
    variable: "CAPTABLE_MAIL_CA_FILE",
    default: null,
    allowed: "a file",
    doc: "more root certificates (PEM) for the mail server's certificate, which is always checked",
    parse: anyText,
  }),
} as const;
