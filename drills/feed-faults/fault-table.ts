import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FaultCase } from './fault-run.ts'
import type { FaultName } from './fault-script.ts'

export interface FaultRow extends FaultCase {
  readonly orders: number
  readonly refused: number
  readonly voided: number
  readonly settled: number
  readonly switchedAfterMs: number | null
}

const PAGE = fileURLToPath(new URL('../../docs/feeds.md', import.meta.url))
const BEGIN = '<!-- fault runs: written by the test -->'
const END = '<!-- end of the fault runs -->'

const WHAT: Readonly<Record<FaultName, string>> = {
  none: 'none',
  dies: 'dies and does not come back',
  freezes: 'freezes: connected, and silent for 30 s',
  lags: 'lags: everything comes 10 s late for 30 s',
  lies: 'lies by 5 % for 30 s',
  'lies once': 'lies by 5 % in a single price',
  flaps: 'flaps: gone every other second, for 30 s',
  'drops out': 'drops out for two of every three seconds, for 30 s',
  'second lies': 'well, but the second one lies by 5 % for 30 s',
}

const RULE: Readonly<Record<`${FaultName} ${1 | 2}`, string>> = {
  'none 1': 'All is settled.',
  'none 2': 'All is settled on the first source.',
  'dies 1':
    'No order on a price older than 5 s; what ends after the last price is void, since no price comes to pass it.',
  'dies 2': 'The second takes over, and nothing is refused or void.',
  'freezes 1': 'As above; what ends more than 5 s after the last price is void, what ends before is settled on it.',
  'freezes 2': 'The second takes over until the first has been well for 15 s.',
  'lags 1':
    'Late prices are true ones: they settle what was open, ten seconds later, but no order is taken on a price that old, nor within ten seconds after such prices.',
  'lags 2': 'The second takes over until the first has caught up and been well for 15 s.',
  'lies 1':
    'One source cannot be told from the market: the first wild price waits, the second confirms it, and then it counts.',
  'lies 2': 'Neither is believed: no orders, and what ends more than 5 s after the last believed price is void.',
  'lies once 1': 'The lone price waits, nothing confirms it, and it is never a price to anyone.',
  'lies once 2': 'The same.',
  'flaps 1': 'A second is no silence: the prices that did come count.',
  'flaps 2': 'The same, without going to and fro.',
  'drops out 1': 'No price is older than 5 s: the prices that did come count.',
  'drops out 2': 'The second takes over once, and the first is not used again before it has been well for 15 s.',
  'second lies 1': '',
  'second lies 2': 'Nobody knows which of the two lies: the same as if the first did.',
}

/** Returns the page about the feeds with the newly measured table. */
export function faultTable(rows: readonly FaultRow[]): string {
  const page = readFileSync(PAGE, 'utf8')
  const before = page.slice(0, page.indexOf(BEGIN) + BEGIN.length)
  const after = page.slice(page.indexOf(END))
  const lines = rows.map((row) =>
    [
      WHAT[row.fault],
      row.sources,
      row.orders,
      row.refused,
      row.voided,
      row.settled,
      row.switchedAfterMs === null ? '' : `${row.switchedAfterMs} ms`,
      RULE[`${row.fault} ${row.sources}`],
    ].join(' | '),
  )
  const head = [
    'the used source | sources | orders | refused | void | settled | switched over after | the rule',
    '---|--:|--:|--:|--:|--:|--:|---',
  ]
  return `${before}\n\n${[...head, ...lines].map((line) => `| ${line} |`).join('\n')}\n\n${after}`
}
