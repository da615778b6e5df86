import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { StaffCall } from '#contract/admin/staff-call.ts'
import { staffCalls } from '#contract/admin/staff-calls.ts'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { AppSocketIn } from '#contract/live/app-socket.ts'
import type { SettledFacts } from '#core/orders/order.ts'
import type { SettlementPrice, settleOrder } from '#core/orders/settle-order.ts'
import type { decideSettlementPrice, SettlementFacts } from '#core/orders/settlement-price.ts'
import { PERMISSIONS } from '#core/staff/permissions.ts'
import { COMMANDS } from '#server/admin/commands.ts'
import { storedSettings } from '#server/settings/site-settings.ts'
import { openTestDatabase, type TestDatabase } from '#testing/database.ts'
import * as said from '#testing/outcome-review.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

/** Those that sound like an outcome and of which nobody has said what they are, and what was said of nothing. */
function unexplained(names: readonly string[], sentences: Readonly<Record<string, string>>) {
  const suspicious = names.filter((name) => wordsOf(name).some((word) => said.WORDS_OF_AN_OUTCOME.has(word)))
  return {
    nobodySaidWhatThisIs: suspicious.filter((name) => !Object.hasOwn(sentences, name)),
    saidOfNothing: Object.keys(sentences).filter((name) => !names.includes(name)),
  }
}
const ALL_SAID = { nobodySaidWhatThisIs: [], saidOfNothing: [] }

/** `max`, `tick`, `age` of `symbol.max_tick_age`: of a thing inside another the other has been asked for itself. */
function wordsOf(name: string): string[] {
  const own = name.split(/[. ](?=[^. ]*$)/).at(-1) ?? name
  return own
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

describe('nothing lets anyone set a price, a result, one user’s payout or a delay', () => {
  it('no call, by staff or users, and nothing said on the socket', () => {
    const changes = Object.entries<StaffCall | Call>({ ...staffCalls, ...calls }).filter(
      ([, { method }]) => method !== 'GET',
    )
    const fields = changes.flatMap(([name, { body, params, query }]) =>
      [body, params, query].flatMap((schema) => fieldsOf(schema).map((field) => `${name}.${field}`)),
    )
    const spoken = AppSocketIn.options.flatMap((option) => {
      const [action = ''] = option.shape.action.values
      return fieldsOf('data' in option.shape ? option.shape.data : option).map((field) => `socket ${action}.${field}`)
    })
    const names = [...new Set([...fields, ...spoken, ...changes.map(([name]) => name)])]
    expect(unexplained(names, said.SAID_OF_CALLS)).toEqual(ALL_SAID)
  })

  it('no command of the operator, no permission and no setting', async () => {
    const options = COMMANDS.flatMap(({ name, takes, options: given }) => [
      name,
      name.split(' ')[0] ?? '',
      ...takes.map((taken) => `${name}.${taken}`),
      ...Object.keys(given).map((option) => `${name}.${option}`),
    ])
    const permissions = Object.keys(PERMISSIONS).flatMap((permission) => [permission, permission.split('.')[0] ?? ''])
    expect(unexplained([...new Set([...options, ...permissions])], said.SAID_OF_COMMANDS)).toEqual(ALL_SAID)
    const keys = Object.keys(await storedSettings(database.db))
    expect(unexplained(keys, said.SAID_OF_SETTINGS)).toEqual(ALL_SAID)
  })

  it('no column: what each is, and who writes it, is said', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and table_name not like 'kysely%' order by ordinal_position`.execute(database.db)
    const tables = new Map<string, string[]>()
    for (const { table, column } of rows) tables.set(table, [...(tables.get(table) ?? []), column])

    const books = Object.entries(said.BOOKS)
    expect(Object.fromEntries(books.map(([table]) => [table, tables.get(table)?.toSorted()]))).toEqual(
      Object.fromEntries(books.map(([table, { columns }]) => [table, columns.split(/\s+/).toSorted()])),
    )
    const others = [...tables].filter(([table]) => !Object.hasOwn(said.BOOKS, table))
    const names = others.flatMap(([table, columns]) => [table, ...columns.map((column) => `${table}.${column}`)])
    expect(unexplained(names, said.SAID_OF_COLUMNS)).toEqual(ALL_SAID)
  })
})

/** Names of everything a schema takes, at any depth. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return []
  return [...namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))]
}

function* namesIn(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const one of node) yield* namesIn(one)
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties' && typeof value === 'object' && value !== null) yield* Object.keys(value)
    yield* namesIn(value)
  }
}

describe('what proves a result has one writer each', () => {
  const sources = sourceFiles(['src/server', 'scripts', 'bench']).filter(
    (file) => !file.endsWith('.test.ts') && !file.startsWith('src/server/db/migrations/'),
  )

  it.each(Object.entries(said.BOOKS))('%s', (table, { writers }) => {
    const found = sources.flatMap((file) => writesIn(read(file), table).map((verb) => `${verb} ${file}`))
    expect(found.toSorted()).toEqual([...writers].toSorted())
  })

  it('and no statement names a table in a way this could not see, but those that only read', () => {
    const dynamic = sources.filter((file) =>
      /sql\.table\(|dynamic\.table\(|schema\.(?:alter|drop)Table/.test(read(file)),
    )
    expect(dynamic).toEqual(said.NAME_TABLES_BY_VARIABLE)
    for (const file of dynamic) expect(read(file), file).not.toMatch(WRITING)
  })
})

const WRITING = /\b(?:insert\s+into|update\s+\$|delete\s+from|merge\s+into|truncate)\b/i

/** Which kinds of writes to a table a source has, by Kysely or in SQL. */
function writesIn(text: string, table: string): string[] {
  const patterns: Record<string, RegExp> = {
    insert: new RegExp(`insertInto\\('${table}|insert\\s+into\\s+${table}\\b`, 'i'),
    update: new RegExp(
      `(?:updateTable|mergeInto|replaceInto)\\('${table}|(?:update|merge\\s+into)\\s+${table}\\b`,
      'i',
    ),
    delete: new RegExp(`deleteFrom\\('${table}|(?:delete\\s+from|truncate)\\s+${table}\\b`, 'i'),
  }
  return Object.entries(patterns).flatMap(([verb, pattern]) => (pattern.test(text) ? [verb] : []))
}

describe('settling', () => {
  it('is told of an order what it needs, and not whose it is', () => {
    expectTypeOf<keyof SettledFacts>().toEqualTypeOf<'direction' | 'stake' | 'payout' | 'entryPrice' | 'expiresAt'>()
    expectTypeOf<Parameters<typeof settleOrder>>().toEqualTypeOf<[order: SettledFacts, price: SettlementPrice]>()
    expectTypeOf<Parameters<typeof decideSettlementPrice>>().toEqualTypeOf<[facts: SettlementFacts]>()
    expectTypeOf<keyof SettlementFacts>().toEqualTypeOf<
      'expiresAt' | 'last' | 'next' | 'watermark' | 'maxTickAgeMs' | 'now'
    >()
  })

  it('reads nothing, in itself or in what it is made of, that could tell', () => {
    const files = closureOf(['src/core/orders/settle-order.ts', 'src/core/orders/settlement-price.ts'])
    expect(files.length).toBeGreaterThan(4)
    for (const file of files) {
      expect(file.startsWith('src/core/'), `${file} is a rule`).toBe(true)
      expect(withoutComments(read(file)), file).not.toMatch(
        /user|account|customer|client|staff|balance|process\.|import\(/i,
      )
    }
  })
})

/** The files that these import, and those that they import, and so on. */
function closureOf(start: readonly string[]): string[] {
  const seen = new Set<string>()
  const todo = [...start]
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    for (const [, specifier = ''] of read(file).matchAll(/from '([^']+)'/g)) todo.push(specifier.replace(/^#/, 'src/'))
  }
  return [...seen]
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

function sourceFiles(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:ts|mjs)$/.test(file))
      .map((file) => `${folder}/${file}`)
      .toSorted(),
  )
}
