import { describe, expect, expectTypeOf, it } from 'vitest'
import type { SettledFacts } from '#core/orders/order.ts'
import type { settleOrder } from '#core/orders/rules/rules.ts'
import type { SettlementPrice } from '#core/orders/settle-order.ts'
import type { decideSettlementPrice, SettlementFacts } from '#core/orders/rules/rule-1.ts'
import { PERMISSIONS } from '#core/staff/permissions.ts'
import { storedSettings } from '#server/settings/site-settings.ts'
import { noControlReport } from '#test/invariants/no-control/report.ts'
import { changingCalls, operatorCommands, spokenMessages } from '#test/invariants/no-control/walk-contract.ts'
import { walkDatabase } from '#test/invariants/no-control/walk-database.ts'
import {
  readSource,
  serverSources,
  settlingFiles,
  WRITING,
  writesIn,
} from '#test/invariants/no-control/walk-sources.ts'
import { AT_ONCE, staffEffects } from '#test/invariants/staff-calls.ts'
import * as said from '#test/invariants/reviewed-names.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

/** The inputs of the settlement rules. The compiler compares them with the rules' types. */
const RULE_INPUTS = {
  order: ['ruleVersion', 'direction', 'stake', 'payout', 'entryPrice', 'expiresAt'],
  price: ['expiresAt', 'last', 'next', 'watermark', 'maxTickAgeMs', 'now'],
} as const

const database = useTestDatabase({ emptied: 'once' })

/** Returns suspicious names without a reviewed sentence, and sentences without a name. */
function unexplained(names: readonly string[], sentences: Readonly<Record<string, string>>) {
  const suspicious = names.filter((name) => wordsOf(name).some((word) => said.WORDS_OF_AN_OUTCOME.has(word)))
  return {
    unreviewed: suspicious.filter((name) => !Object.hasOwn(sentences, name)),
    saidOfNothing: Object.keys(sentences).filter((name) => !names.includes(name)),
  }
}
const ALL_SAID = { unreviewed: [], saidOfNothing: [] }

/**
 * Splits a name into words: `symbol.max_tick_age` gives `max`, `tick` and `age`. The part before the dot is reviewed
 * separately.
 */
function wordsOf(name: string): string[] {
  const own = name.split(/[. ](?=[^. ]*$)/).at(-1) ?? name
  return own
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

describe('nothing lets anyone set a price, a result, one user’s payout or a delay', () => {
  it('PR6: each call and socket message with a suspicious name has a reviewed explanation', () => {
    const names = [...changingCalls(), ...spokenMessages()].flatMap(({ name, takes }) => [
      name,
      ...takes.map((field) => `${name}.${field}`),
    ])
    expect(unexplained([...new Set(names)], said.SAID_OF_CALLS)).toEqual(ALL_SAID)
  })

  it('PR6: each changing call of staff is announced, decided by two, or reviewed to take effect at once', () => {
    const effects = staffEffects()
    expect([...effects].filter(([, effect]) => effect === null)).toEqual([])
    const listed = Object.values(AT_ONCE).flat()
    expect(listed.filter((name) => effects.get(name) !== 'at once')).toEqual([])
    expect(listed).toEqual([...new Set(listed)])
  })

  it('PR6: each operator command, permission and setting with a suspicious name has a reviewed explanation', async () => {
    const options = operatorCommands().flatMap(({ name, takes }) => [
      name,
      name.split(' ')[0] ?? '',
      ...takes.map((option) => `${name}.${option}`),
    ])
    const permissions = Object.keys(PERMISSIONS).flatMap((permission) => [permission, permission.split('.')[0] ?? ''])
    expect(unexplained([...new Set([...options, ...permissions])], said.SAID_OF_COMMANDS)).toEqual(ALL_SAID)
    const keys = Object.keys(await storedSettings(database.db))
    expect(unexplained(keys, said.SAID_OF_SETTINGS)).toEqual(ALL_SAID)
  })

  it('PR6: each table that proves a result is listed with its columns, and each other column with a suspicious name has a reviewed explanation', async () => {
    const tables = new Map((await walkDatabase(database.db)).map(({ name, columns }) => [name, columns]))
    const books = Object.entries(said.BOOKS)
    expect(Object.fromEntries(books.map(([table]) => [table, tables.get(table)?.toSorted()]))).toEqual(
      Object.fromEntries(books.map(([table, { columns }]) => [table, columns.split(/\s+/).toSorted()])),
    )
    const others = [...tables].filter(([table]) => !Object.hasOwn(said.BOOKS, table))
    const names = others.flatMap(([table, columns]) => [table, ...columns.map((column) => `${table}.${column}`)])
    expect(unexplained(names, said.SAID_OF_COLUMNS)).toEqual(ALL_SAID)
  })
})

describe('tables that prove a result have one writer each', () => {
  const sources = serverSources()

  it.each(Object.entries(said.BOOKS))('PR6: %s', (table, { writers }) => {
    const found = sources.flatMap((file) => writesIn(readSource(file), table).map((verb) => `${verb} ${file}`))
    expect(found.toSorted()).toEqual([...writers].toSorted())
  })

  it('PR6: no statement that writes takes its table name from a variable', () => {
    const dynamic = sources.filter((file) =>
      /sql\.table\(|dynamic\.table\(|schema\.(?:alter|drop)Table/.test(readSource(file)),
    )
    expect(dynamic).toEqual(said.NAME_TABLES_BY_VARIABLE)
    for (const file of dynamic) expect(readSource(file), file).not.toMatch(WRITING)
  })
})

describe('the rights of the server in the database', () => {
  it('PR6: the rights of the server allow no truncation, and no change of tables that prove a result', async () => {
    const rights = new Map((await walkDatabase(database.db)).map((table) => [table.name, table.rights]))
    expect([...rights].filter(([, verbs]) => verbs.includes('truncate'))).toEqual([])
    for (const table of NEVER_CHANGED) {
      expect(rights.get(table), table).not.toContainEqual(expect.stringMatching(/update|delete/))
    }
  })
})

/** Tables whose rows are written once. If the server could change such a row, it could change a result afterwards. */
const NEVER_CHANGED = [
  'tick_batch',
  'tick_pack',
  'settlement_price',
  'order_history',
  'transfer',
  'receipt_batch',
  'sale_request',
  'sale_end',
  'sale_report',
  'signing_key',
  'payout_version',
  'terms_entry',
  'stock_split',
  'admin_action',
]

describe('settling', () => {
  it('PR6: the settlement rules get the facts of an order without its user', () => {
    expectTypeOf<keyof SettledFacts>().toEqualTypeOf<(typeof RULE_INPUTS.order)[number]>()
    expectTypeOf<Parameters<typeof settleOrder>>().toEqualTypeOf<[order: SettledFacts, price: SettlementPrice]>()
    expectTypeOf<Parameters<typeof decideSettlementPrice>>().toEqualTypeOf<[facts: SettlementFacts]>()
    expectTypeOf<keyof SettlementFacts>().toEqualTypeOf<(typeof RULE_INPUTS.price)[number]>()
  })

  it('no file of the settlement rules reads anything that could reveal the user', () => {
    const files = settlingFiles()
    expect(files.length).toBeGreaterThan(4)
    for (const file of files) {
      expect(file.startsWith('src/core/'), `${file} is a rule`).toBe(true)
      // Names such as `use_reasons` contain `user`, but concern sources of prices.
      const text = withoutComments(readSource(file)).replaceAll(/use_?reasons?/gi, '')
      expect(text, file).not.toMatch(/user|account|customer|client|staff|balance|process\.|import\(/i)
    }
  })
})

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}

it('PR6: the published report matches the findings of these tests', async () => {
  const report = noControlReport({
    calls: changingCalls(),
    spoken: spokenMessages(),
    commands: operatorCommands(),
    permissions: PERMISSIONS,
    settings: Object.keys(await storedSettings(database.db)),
    tables: await walkDatabase(database.db),
    settling: RULE_INPUTS,
    settlingFiles: settlingFiles(),
  })
  await expect(report).toMatchFileSnapshot('../../docs/generated/no-control.md')
})
