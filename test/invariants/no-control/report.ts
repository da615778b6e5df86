import type { PERMISSIONS } from '#core/staff/permissions.ts'
import type { EntryPoint } from '#test/invariants/no-control/walk-contract.ts'
import type { WalkedTable } from '#test/invariants/no-control/walk-database.ts'
import { AT_ONCE, type Effect, staffEffects } from '#test/invariants/staff-calls.ts'
import * as said from '#test/invariants/reviewed-names.ts'

/** All findings about the calls, messages, commands, settings, tables and sources of the product. */
export interface Walked {
  readonly calls: readonly EntryPoint[]
  readonly spoken: readonly EntryPoint[]
  readonly commands: readonly EntryPoint[]
  readonly permissions: typeof PERMISSIONS
  readonly settings: readonly string[]
  readonly tables: readonly WalkedTable[]
  /** The inputs of the settlement rules: about the order, and about the price. */
  readonly settling: { readonly order: readonly string[]; readonly price: readonly string[] }
  readonly settlingFiles: readonly string[]
}

/**
 * Returns the page `docs/generated/no-control.md`: the findings in tables. The app shows the same text at
 * `/no-control`.
 */
export function noControlReport(walked: Walked): string {
  return [
    ...LEAD,
    ...settlement(walked),
    ...books(walked),
    ...entryPoints(walked),
    ...permissionsAndSettings(walked),
    ...otherTables(walked),
  ].join('\n')
}

const LEAD = [
  '<!-- Written by: npx vitest run test/invariants/no-outcome-control.test.ts -u -->',
  '',
  '# Results cannot be changed',
  '',
  'For users and auditors: everything that can change something. A test walks the running code and a real database, and fails',
  'when it finds anything else, or a name that sounds like part of a result without a sentence about it.',
  '',
  'The owner of the machine could run another program. Signed [receipts](../reference/receipts.md), the chained',
  '[tick log](../reference/tick-log.md) and the published [totals](../reference/liabilities.md) show that: anyone can check them.',
  '',
]

function settlement(walked: Walked): string[] {
  return [
    ...section('What settles an order', [
      'The settlement rule receives only these values. It does not know whose order it is.',
      table(
        ['from', 'values'],
        [
          ['the order', codes(walked.settling.order)],
          ['its price', codes(walked.settling.price)],
        ],
      ),
      'None of its files names a user, a balance or a setting:',
      walked.settlingFiles.map(code).join(', '),
    ]),
  ]
}

function books(walked: Walked): string[] {
  const written = walked.tables.filter(({ name }) => Object.hasOwn(said.BOOKS, name))
  return [
    ...section('The books', [
      'Prices, terms, orders, results and money. The test finds the writers in all sources; the rights are those of the server’s role.',
      table(
        ['table', 'contents', 'columns', 'rights of the server', 'written by'],
        written.map(({ name, columns, rights }) => [
          code(name),
          said.BOOKS[name]?.about ?? '',
          codes(columns),
          rightsText(rights),
          (said.BOOKS[name]?.writers ?? []).map(writer).join('<br>') || 'the database itself',
        ]),
      ),
    ]),
  ]
}

function entryPoints(walked: Walked): string[] {
  return [
    ...section('Calls that change something', [
      'All are `POST` calls; the others only read. `docs/generated/permissions.md` names who may use each. Fields of the path are not repeated.',
      table(
        ['call', 'fields'],
        walked.calls.map((entry) => [code(entry.written), codes(bodyFields(entry))]),
      ),
      ...explained(said.SAID_OF_CALLS, walked.calls),
    ]),
    ...section('When a change by staff counts', [
      'While one person decides alone, everything that would need two people waits in public instead.',
      table(['when', 'calls'], effects(walked.calls)),
    ]),
    ...section('What a browser can say on the socket', [
      table(
        ['message', 'fields'],
        walked.spoken.map((entry) => [code(entry.written), codes(entry.takes)]),
      ),
      ...explained(said.SAID_OF_CALLS, walked.spoken),
    ]),
    ...section('Commands of the operator', [
      'Commands that only read are left out.',
      table(
        ['command', 'takes'],
        walked.commands
          .filter(({ who }) => who === 'changes')
          .map((entry) => [code(entry.written), codes(entry.takes)]),
      ),
    ]),
  ]
}

const WHEN = {
  waits: 'after two people and a public wait, where it can touch money or rights',
  two: 'one person up to a sum, two above it; two for the account of a user',
  notice: 'after notice to everyone',
} as const

/** Returns one row for each way in which a call of staff takes effect. */
function effects(calls: readonly EntryPoint[]): string[][] {
  const all = [...staffEffects()]
  const paths = (names: readonly string[]) =>
    codes(calls.filter(({ name }) => names.includes(name)).map(({ written }) => written.replace('/admin', '')))
  const by = (effect: Effect) => paths(all.flatMap(([name, own]) => (own === effect ? [name] : [])))
  return [
    ...Object.entries(WHEN).map(([effect, when]) => [when, by(effect as Effect)]),
    ...Object.entries(AT_ONCE).map(([why, names]) => [`at once: ${why}`, paths(names)]),
  ]
}

function permissionsAndSettings(walked: Walked): string[] {
  return [
    ...section('Permissions of staff', [
      codes(Object.keys(walked.permissions)),
      '`docs/generated/permissions.md` names their roles and calls.',
    ]),
    ...section('Settings of the site', [
      codes(walked.settings),
      ...explained(
        said.SAID_OF_SETTINGS,
        walked.settings.map((name) => ({ name, written: name, takes: [] })),
      ),
    ]),
  ]
}

function otherTables(walked: Walked): string[] {
  const others = walked.tables.filter(({ name }) => !Object.hasOwn(said.BOOKS, name))
  return [
    ...section('All other tables', [
      table(['rights of the server', 'tables'], byRights(others)),
      ...explained(
        said.SAID_OF_COLUMNS,
        others.map(({ name, columns }) => ({ name, written: name, takes: columns })),
      ),
    ]),
  ]
}

/** Returns the fields of a call that its path does not name. */
const bodyFields = ({ written, takes }: EntryPoint) =>
  takes.filter((field) => !written.split('/').includes(`:${field}`))

/** Returns one row for each set of database rights, with the tables that have it. */
function byRights(tables: readonly WalkedTable[]): string[][] {
  const namesOf = new Map<string, string[]>()
  for (const { name, rights } of tables) {
    const own = rightsText(rights)
    namesOf.set(own, [...(namesOf.get(own) ?? []), name])
  }
  return [...namesOf].map(([rights, names]) => [rights, codes(names)])
}

function section(title: string, blocks: readonly string[]): string[] {
  return [`## ${title}`, '', ...blocks.flatMap((block) => [block, ''])]
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `|${cells.map(cell).join('|')}|`).join('\n')
}

/** Escapes vertical bars, because a vertical bar would end the cell of a Markdown table. */
const cell = (text: string) => (text === '' ? '–' : text.replaceAll('|', '\\|'))
const code = (text: string) => `\`${text}\``
const codes = (names: readonly string[]) => names.map(code).join(' ')
const writer = (text: string) => text.replace(/^(\w+) (.+)$/, '`$1`: `$2`')
/**
 * Formats rights of the database as code. A right is a word of SQL, perhaps with a restriction, such as `update (some
 * columns)`.
 */
const rightsText = (rights: readonly string[]) => rights.map((right) => right.replace(/^\w+/, code)).join(', ')

/**
 * Returns a table of the names that sound like part of a result, with their explanations. Without such names there is
 * no table.
 */
function explained(
  of: Readonly<Record<string, string>>,
  things: readonly Pick<EntryPoint, 'name' | 'written' | 'takes'>[],
): string[] {
  const namesOf = new Map<string, string[]>()
  for (const { name, written, takes } of things)
    for (const part of [undefined, ...takes]) {
      const sentence = of[part === undefined ? name : `${name}.${part}`]
      if (sentence === undefined) continue
      const own = codes(part === undefined ? [written] : [written, part])
      namesOf.set(sentence, [...(namesOf.get(sentence) ?? []), own])
    }
  const rows = [...namesOf].map(([sentence, names]) => [names.join('<br>'), sentence])
  return rows.length === 0 ? [] : ['Names that sound like part of a result:', table(['name', 'what it is'], rows)]
}
