import { sql } from 'kysely'
import { SERVER_ROLE } from '#server/platform/database/server-role.ts'
import type { Db } from '#server/platform/database/tables.ts'

export interface WalkedTable {
  readonly name: string
  readonly columns: readonly string[]
  /**
   * The server's rights on the table: `select`, `insert` and so on. A right that is limited to some columns is marked
   * `some columns`.
   */
  readonly rights: readonly string[]
}

const VERBS = ['select', 'insert', 'update', 'delete', 'truncate'] as const

/** Returns every table of a migrated database, read from its catalogue. */
export async function walkDatabase(db: Db): Promise<WalkedTable[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely%' order by ordinal_position`.execute(db)
  const tables = new Map<string, string[]>()
  for (const { table, column } of rows) tables.set(table, [...(tables.get(table) ?? []), column])
  const names = [...tables.keys()].toSorted()
  const rights = await rightsOf(db, names)
  return names.map((name) => ({ name, columns: tables.get(name) ?? [], rights: rights.get(name) ?? [] }))
}

async function rightsOf(db: Db, names: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const name of names) {
    const table = `public.${name}`
    const { rows } = await sql<{ verb: string; whole: boolean; part: boolean }>`
      select verb, has_table_privilege(${SERVER_ROLE}, ${table}, verb) as whole,
        verb in ('select', 'insert', 'update') and has_any_column_privilege(${SERVER_ROLE}, ${table},
          case when verb in ('select', 'insert', 'update') then verb else 'select' end) as part
      from unnest(${sql.raw(`array[${VERBS.map((verb) => `'${verb}'`).join(', ')}]`)}) as verb`.execute(db)
    const has = (verb: string) => rows.find((row) => row.verb === verb)
    found.set(
      name,
      VERBS.flatMap((verb) => (has(verb)?.whole ? [verb] : has(verb)?.part ? [`${verb} (some columns)`] : [])),
    )
  }
  return found
}
