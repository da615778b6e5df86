import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const SERVER = fileURLToPath(new URL('../../src/server/', import.meta.url))

/** Tables that a room (a folder of `src/server`) may write although another room owns the table, with the reason. */
const FOREIGN_WRITERS: Readonly<Record<string, string>> = {
  'trading writes balance': 'an order and its money move in one statement',
  'trading writes transfer': 'an order and its money move in one statement',
  'site writes kept_record': 'erasing an account reads and seals the records of all rooms',
  'seed writes gateway': 'first run only',
  'seed writes market_symbol': 'first run only',
  'seed writes quick_amount': 'first run only',
  'seed writes setting': 'first run only',
  'seed writes stock_split': 'the splits that come with the program',
  'seed writes trade_setting': 'first run only',
}

const TABLES = `${SERVER}platform/database/tables/`

/** Returns the owner of each table: the room after which the file that declares the table is named. */
function readOwners(): Map<string, string> {
  const owners = new Map<string, string>()
  for (const file of readdirSync(TABLES)) {
    const text = readFileSync(`${TABLES}${file}`, 'utf8')
    const [, members = ''] = /^export interface \w+Tables \{\n([\s\S]*?)^\}/m.exec(text) ?? []
    for (const [, table = ''] of members.matchAll(/^ {2}(\w+):/gm)) owners.set(table, file.replace(/\.ts$/, ''))
  }
  return owners
}

const BY_KYSELY = /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*'(\w+)/g
const IN_SQL = /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(\w+)/gi
const BY_VARIABLE =
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\((?!\s*')|\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+\$\{/i

/** The table names in the lists that supply the variables of `BY_VARIABLE`. */
const IN_A_LIST = /[[,]\s*'(\w+)'/g

/**
 * Returns the tables that a source file writes. Where a variable names the table, returns all tables named in the lists
 * of the file.
 */
function tablesWrittenIn(text: string, owners: ReadonlyMap<string, string>): string[] {
  const patterns = BY_VARIABLE.test(text) ? [BY_KYSELY, IN_SQL, IN_A_LIST] : [BY_KYSELY, IN_SQL]
  const names = patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, name = '']) => name))
  return [...new Set(names)].filter((name) => owners.has(name))
}

it('each table is written only by the room that owns the table', () => {
  const owners = readOwners()
  const sources = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.(?:ts|mjs)$/.test(name) && !name.endsWith('.test.ts') && !name.includes('/migrations/'),
  )
  const foreign = sources.flatMap((source) => {
    const room = source.slice(0, source.indexOf('/'))
    return tablesWrittenIn(readFileSync(`${SERVER}${source}`, 'utf8'), owners)
      .filter((table) => owners.get(table) !== room)
      .map((table) => `${room} writes ${table}`)
  })
  expect([...new Set(foreign)].toSorted()).toEqual(Object.keys(FOREIGN_WRITERS).toSorted())
})

it('each table has an owner that is a room', () => {
  const { order } = JSON.parse(readFileSync(`${SERVER}rooms.json`, 'utf8')) as { order: string[] }
  const owners = readOwners()
  expect(owners.size).toBeGreaterThan(70)
  expect(order).toEqual(expect.arrayContaining([...new Set(owners.values())]))
})

it('the check finds writes by Kysely, in SQL and by a variable', () => {
  const owners = new Map(['one', 'two', 'three', 'four'].map((table) => [table, 'a']))
  const text =
    "tx.insertInto('one').values(row); sql`update two set x = 1`; for (const table of ['three']) db.deleteFrom(table)"
  expect(tablesWrittenIn(text, owners)).toEqual(['one', 'two', 'three'])
  expect(tablesWrittenIn("db.selectFrom('four')", owners)).toEqual([])
})
