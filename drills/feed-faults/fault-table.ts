import type { FaultCase } from './fault-run.ts'
import type { FaultName } from './fault-script.ts'

export interface FaultRow extends FaultCase {
  readonly orders: number
  readonly refused: number
  readonly voided: number
  readonly settled: number
  readonly switchedAfterMs: number | null
}

const WHAT: Readonly<Record<FaultName, string>> = {
  none: 'none',
  dies: 'dies and does not come back',
  freezes: 'freezes: connected, silent for 30 s',
  lags: 'lags: all prices 10 s late for 30 s',
  lies: 'lies by 5 % for 30 s',
  'lies once': 'lies by 5 % in one price',
  flaps: 'flaps: gone every other second for 30 s',
  'drops out': 'gone for two of every three seconds for 30 s',
  'second lies': 'well, but the second source lies by 5 % for 30 s',
}

const RULE: Readonly<Record<`${FaultName} ${1 | 2}`, string>> = {
  'none 1': 'All orders are settled.',
  'none 2': 'All orders are settled on the first source.',
  'dies 1': 'Orders are refused on prices older than 5 s, and void when they end after the last price.',
  'dies 2': 'The second source takes over. No order is refused or void.',
  'freezes 1': 'Orders that end more than 5 s after the last price are void.',
  'freezes 2': 'The second source takes over until the first is well.',
  'lags 1': 'Late prices settle open orders. New ones are refused until 10 s after the lag.',
  'lags 2': 'The second source takes over until the first is well.',
  'lies 1': 'The first wild price waits, and the second one confirms it.',
  'lies 2': 'No orders; those that end more than 5 s after the last good price are void.',
  'lies once 1': 'The lone price is never confirmed, so it never becomes a price.',
  'lies once 2': 'As with one source.',
  'flaps 1': 'A silence of one second has no effect.',
  'flaps 2': 'As with one source.',
  'drops out 1': 'No price is older than 5 s.',
  'drops out 2': 'The second source takes over once, until the first is well.',
  'second lies 1': '',
  'second lies 2': 'As if the first one did.',
}

/** Returns the Markdown page with the results of all fault runs. */
export function faultTable(rows: readonly FaultRow[]): string {
  const lines = rows.map((row) => [
    WHAT[row.fault],
    row.sources,
    row.orders,
    row.refused,
    row.voided,
    row.settled,
    row.switchedAfterMs === null ? '' : `${row.switchedAfterMs} ms`,
    RULE[`${row.fault} ${row.sources}`],
  ])
  return [
    '<!-- Written by: npx vitest run drills/feed-faults/feed-faults.test.ts -u -->',
    '',
    '# Faults of price sources',
    '',
    'For operators and reviewers: what happens to orders when a source fails. Each row is a run of the real feed, tick log,',
    'engine and ledger with the default limits and a maximum price age of 5 s. Each source sends a price every half second. An',
    'order of ten seconds is placed every second, in both directions in turn. The fault begins after 20 s; a source is well again',
    'after 15 s without one. A separate auditor calculates each order from the script, and the test fails when a price, a result',
    'or an amount differs. The rules are those of [price sources](../reference/feeds.md).',
    '',
    '|fault of the used source|sources|orders|refused|void|settled|switched after|rule|',
    '|---|--:|--:|--:|--:|--:|--:|---|',
    ...lines.map((cells) => `|${cells.join('|')}|`),
    '',
  ].join('\n')
}
