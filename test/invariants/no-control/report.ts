import type { PERMISSIONS } from '#core/staff/permissions.ts'
import type { Door } from '#test/invariants/no-control/walk-contract.ts'
import type { WalkedTable } from '#test/invariants/no-control/walk-database.ts'
import * as said from '#test/invariants/reviewed-names.ts'

/** Everything that the walk found. */
export interface Walked {
  readonly calls: readonly Door[]
  readonly spoken: readonly Door[]
  readonly commands: readonly Door[]
  readonly permissions: typeof PERMISSIONS
  readonly settings: readonly string[]
  readonly tables: readonly WalkedTable[]
  /** The inputs of the settlement rules, and their inputs about an order. */
  readonly settling: { readonly order: readonly string[]; readonly price: readonly string[] }
  readonly settlingFiles: readonly string[]
}

/** Returns the page `docs/no-control.md`: the findings in tables. The app shows the same text at `/no-control`. */
export function noControlReport(walked: Walked): string {
  const books = walked.tables.filter(({ name }) => Object.hasOwn(said.BOOKS, name))
  const others = walked.tables.filter(({ name }) => !Object.hasOwn(said.BOOKS, name))
  return [
    '# Nobody can bend a result',
    '',
    'Written by a test (`test/invariants/no-outcome-control.test.ts`), which walks the running code and a real database on every run and fails',
    'when this page is not what it finds. Everything that can change anything is here. What sounds as if it had to do with how an order ends',
    'carries a sentence on what it is; a thing that sets a price, a result, one user’s payout or a delay has none that could stand here. To',
    'write the page anew: `npx vitest run test/invariants/no-outcome-control.test.ts -u`, and read what has changed.',
    '',
    'It does not show that a server runs this very program: whoever owns the machine could run another one. That is what signed',
    '[receipts](receipts.md), the chained [tick log](tick-log.md) and the published [totals](liabilities.md) are for: anyone can check them.',
    '',
    ...section('What settles an order', [
      'The rule is told of an order and of its price what stands here, and nothing else: not whose order it is.',
      table(
        ['told of', 'what'],
        [
          ['the order', codes(walked.settling.order)],
          ['its price', codes(walked.settling.price)],
        ],
      ),
      'It is made of these files, none of which names a user, a balance or a setting:',
      table(
        ['file'],
        walked.settlingFiles.map((file) => [code(file)]),
      ),
    ]),
    ...section('The books', [
      'Prices, terms, orders, results and money. Who writes each is found in all sources; the rights are those that the database itself gives the server.',
      table(
        ['table', 'what it holds', 'columns', 'the server may', 'written by'],
        books.map(({ name, columns, rights }) => [
          code(name),
          said.BOOKS[name]?.about ?? '',
          codes(columns),
          rights.join(', '),
          (said.BOOKS[name]?.writers ?? []).map(writer).join('<br>') || 'the database itself',
        ]),
      ),
    ]),
    ...section('Calls that change something', [
      table(
        ['call', 'who may', 'takes', 'what sounds like a result, and what it is'],
        walked.calls.map((door) => [
          code(door.written),
          door.who,
          codes(door.takes),
          sentences(said.SAID_OF_CALLS, door),
        ]),
      ),
    ]),
    ...section('What a browser can say on the socket', [
      table(
        ['message', 'takes', 'what sounds like a result, and what it is'],
        walked.spoken.map((door) => [code(door.written), codes(door.takes), sentences(said.SAID_OF_CALLS, door)]),
      ),
    ]),
    ...section('Commands of the operator', [
      table(
        ['command', 'effect', 'takes'],
        walked.commands.map((door) => [code(door.written), door.who, codes(door.takes)]),
      ),
    ]),
    ...section('Permissions of staff', [
      table(
        ['permission', 'roles'],
        Object.entries(walked.permissions).map(([name, roles]) => [code(name), roles.join(', ')]),
      ),
    ]),
    ...section('Settings of the site', [
      table(
        ['setting', 'what sounds like a result, and what it is'],
        walked.settings.map((name) => [code(name), said.SAID_OF_SETTINGS[name] ?? '']),
      ),
    ]),
    ...section('All other tables', [
      table(
        ['table', 'columns', 'the server may', 'what sounds like a result, and what it is'],
        others.map(({ name, columns, rights }) => [
          code(name),
          codes(columns),
          rights.join(', '),
          sentences(said.SAID_OF_COLUMNS, { name, takes: columns }),
        ]),
      ),
    ]),
  ].join('\n')
}

function section(title: string, blocks: readonly string[]): string[] {
  return [`## ${title}`, '', ...blocks.flatMap((block) => [block, ''])]
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')
}

/** A vertical bar would end the table cell. */
const cell = (text: string) => (text === '' ? '–' : text.replaceAll('|', '\\|'))
const code = (text: string) => `\`${text}\``
const codes = (names: readonly string[]) => names.map(code).join(' ')
const writer = (text: string) => text.replace(/^(\w+) (.+)$/, '$1: `$2`')

/** Returns the reviewed sentences about an entry and its inputs. */
function sentences(of: Readonly<Record<string, string>>, { name, takes }: Pick<Door, 'name' | 'takes'>): string {
  const own = of[name] === undefined ? [] : [of[name]]
  const inner = takes.flatMap((one) => {
    const sentence = of[`${name}.${one}`]
    return sentence === undefined ? [] : [`${code(one)}: ${sentence}`]
  })
  return [...own, ...inner].join('<br>')
}
