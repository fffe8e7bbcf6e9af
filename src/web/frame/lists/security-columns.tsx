// Columns of securities, as every list of them shows them.
import { Link } from "wouter-preact";
import { answer, type Schemas } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { dayText, quantityText } from "../../locale.ts";
import { Day, Money, Quantity } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import type { Column } from "../../parts/tables/table.tsx";
import { REGISTER } from "../../text/register-words.ts";
import { SECURITIES } from "../../text/securities.ts";
import { certificateOf, GroupLink, groupOf, HolderLink, type Names, NO_NAMES } from "../names.tsx";
import { useOrganization } from "../page-organization.ts";
import { declaredColumns } from "./declared-list.tsx";

export type Security = Schemas["Security"];

/** The organization's own currency: prices in it show no code. Undefined until it is known. */
export function useCurrency(): string | undefined {
  const { api, key } = useOrganization();
  return useQuery(key("organization"), (signal) => answer(api.GET("/api/v1/organization", { signal }))).data?.currency;
}

/** What was paid for a share, or has to be paid for one; of a convertible nothing. */
export function priceOf({ type, pricePerShare, exercisePrice }: Security): string | null {
  return type === "STOCK" ? pricePerShare : exercisePrice;
}

/** The price, with its currency where that is not the organization's. */
export function Price({ of: security }: { readonly of: Security }) {
  const own = useCurrency();
  const isOther = own !== undefined && security.currency !== own;
  return <Money value={priceOf(security)} currency={isOther ? security.currency : null} />;
}

/** Whether a security is still there, in words. */
export function SecurityStatus({ status }: Pick<Security, "status">) {
  return <Badge tone={status === "ACTIVE" ? "good" : "plain"}>{REGISTER.securityStatuses[status]}</Badge>;
}

/** How far its token is; nothing for what never has one. */
export function TokenStatus({ tokenStatus }: Pick<Security, "tokenStatus">) {
  if (tokenStatus === "NOT_APPLICABLE") return <span class="none">{REGISTER.none}</span>;
  const tone = ({ MINTED: "good", FAILED: "bad", PENDING: "info", PENDING_APPROVAL: "warn" } as const)[tokenStatus];
  return <Badge tone={tone}>{REGISTER.tokenStatuses[tokenStatus]}</Badge>;
}

/** The day from which what is recorded ahead on a security counts: the first one; nothing where all of it counts today. */
export function AheadNote({ of: { ahead } }: { readonly of: Security }) {
  const [first] = ahead;
  return first ? <span class="note"> {SECURITIES.from(dayText(first.effectiveDate))}</span> : null;
}

function CertificateCell({ row, note }: { readonly row: Security; readonly note: string }) {
  const { path } = useOrganization();
  return (
    <>
      <Link href={path(`/securities/${row.id}`)}>{certificateOf(row)}</Link>
      <span class="only-narrow note">{note}</span>
    </>
  );
}

/** What a security is, with its quantity: what there is room for on a phone. */
function narrowNote(row: Security, holder: string | undefined): string {
  return [quantityText(row.quantity), REGISTER.securityTypes[row.type], holder].filter(Boolean).join(" · ");
}

type SecurityColumn = "certificate" | "type" | "holder" | "class" | "quantity" | "price" | "date" | "status" | "token";

/** The columns by name, in the register's order; `holders` and `groups` are the names of holders, and of classes and plans, that are known. */
export function securityColumns<T extends Security>(
  holders: Names = NO_NAMES,
  groups: Names = NO_NAMES,
): Readonly<Record<SecurityColumn, Column<T>>> {
  const holderOf = ({ stakeholderId: id }: Security) => (id === null ? null : holders.get(id));
  const groupName = (row: Security) => groups.get(groupOf(row) ?? "");
  const columns = declaredColumns<"securities", T>("securities", {
    certificate: {
      width: "minmax(5.5rem, 1fr)",
      sortBy: certificateOf,
      cell: (row) => <CertificateCell row={row} note={narrowNote(row, holderOf(row) ?? undefined)} />,
    },
    type: {
      isWide: true,
      width: "5.5rem",
      sortBy: ({ type }) => REGISTER.securityTypes[type],
      cell: ({ type }) => REGISTER.securityTypes[type],
    },
    holder: {
      isWide: true,
      width: "minmax(0, 2.4fr)",
      sortBy: holderOf,
      cell: (row) => <HolderLink id={row.stakeholderId} known={holderOf(row)} />,
    },
    class: {
      isWide: true,
      width: "minmax(0, 2.3fr)",
      sortBy: groupName,
      cell: (row) => <GroupLink of={row} />,
    },
    quantity: {
      isFigure: true,
      isWide: true,
      width: "minmax(6rem, 1fr)",
      sortBy: ({ quantity }) => quantity,
      cell: ({ quantity }) => <Quantity value={quantity} isZeroDimmed />,
    },
    price: {
      isFigure: true,
      isWide: true,
      width: "6.25rem",
      sortBy: priceOf,
      cell: (row) => <Price of={row} />,
    },
    date: {
      isWide: true,
      width: "6.5rem",
      isDay: true,
      sortBy: ({ grantDate }) => grantDate,
      cell: ({ grantDate }) => <Day value={grantDate} />,
    },
    status: {
      width: "6.25rem",
      sortBy: ({ status }) => REGISTER.securityStatuses[status],
      cell: (row) => (
        <>
          <SecurityStatus status={row.status} />
          <AheadNote of={row} />
        </>
      ),
    },
    token: {
      isWide: true,
      width: "7.5rem",
      sortBy: ({ tokenStatus }) => REGISTER.tokenStatuses[tokenStatus],
      cell: ({ tokenStatus }) => <TokenStatus tokenStatus={tokenStatus} />,
    },
  });
  return Object.fromEntries(columns.map((column) => [column.id, column])) as Readonly<
    Record<SecurityColumn, Column<T>>
  >;
}
