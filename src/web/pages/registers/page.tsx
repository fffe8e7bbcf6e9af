// `/o/{orgId}/registers/{register}`: a register that is what its declaration says, and no more.
import { answer } from "../../api/client.ts";
import type { ListPage } from "../../api/list-pages.ts";
import { REGISTER_PAGES } from "../../api/menu.ts";
import { REGISTERS } from "../../api/registers.ts";
import { DeclaredList, declaredColumns, type OwnFilter, useDeclared } from "../../frame/lists/declared-list.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { Notice } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { CHOICE_WORDS } from "../../text/actions/field-words.ts";
import { ERRORS, labelIn } from "../../text/common.ts";

type Name = keyof typeof REGISTER_PAGES;
type Row = { readonly id: string } & Readonly<Record<string, unknown>>;
/** Stands for the addresses of all such registers: they are read alike. */
type AnyList = "/api/v1/stock-legends";

/** The page. */
export function Page({ params: { register = "" } }: { readonly params: Readonly<Record<string, string>> }) {
  const { name } = useOrganization();
  if (Object.hasOwn(REGISTER_PAGES, register)) return <RegisterPage key={register} of={register as Name} />;
  return (
    <>
      <PageHead title={ERRORS.notFoundTitle} of={name} />
      <Notice tone="bad" title={ERRORS.notFound(ERRORS.page)} />
    </>
  );
}

/** What is typed is looked for in all columns; a choice is one of the values of its member. */
function filterOf(of: Name, filter: string): OwnFilter<Row> {
  const { choices, list }: { readonly choices: Lists; readonly list: object } = REGISTERS[of];
  const values = choices[filter];
  if (values) return { choices: values.map((value) => ({ value, label: labelIn(CHOICE_WORDS, value) })), asked: null };
  const textOf = (row: Row) => Object.keys(list).map((member) => String(row[member] ?? ""));
  return {
    asked: null,
    matches: (row, typed) => textOf(row).join("\n").toLocaleLowerCase().includes(typed.toLocaleLowerCase()),
  };
}
type Lists = Readonly<Record<string, readonly string[]>>;

function RegisterPage({ of }: { readonly of: Name }) {
  const { api, name } = useOrganization();
  const { title, filters } = REGISTERS[of];
  const answers = Object.fromEntries(Object.keys(filters).map((filter) => [filter, filterOf(of, filter)]));
  const { register, ...list } = useDeclared<Name, Row>(of, {
    read: async (_, query, signal) => {
      const found = await answer(api.GET(`/api/v1/${of}` as AnyList, { params: { query }, signal }));
      // The list is called `items` or `data`.
      const { nextCursor, ...rows } = found as Readonly<Record<string, unknown>>;
      return { items: Object.values(rows)[0], nextCursor } as ListPage<Row>;
    },
    filters: answers as { readonly [F in keyof typeof filters]: OwnFilter<Row> },
  });
  const columns = declaredColumns<Name, Row>(of, {});
  return (
    <>
      <PageHead title={title} of={name} />
      <DeclaredList of={of} {...{ register, rows: register.rows, ...list, columns }} keyOf={({ id }) => id} />
    </>
  );
}
