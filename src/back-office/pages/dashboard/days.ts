import type { DashboardDays } from '#contract/back-office/dashboard.ts'
import type { Bars } from '#back-office/plots/bar-plot.tsx'

/** The accounts whose orders the figures include. */
export type Whose = 'people' | 'bots' | 'all'

type Row = DashboardDays['rows'][number]

const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })

/** Builds one bar per day, also for days without activity. Each series sums the rows of one kind. */
export function barsByDay({ days, rows }: DashboardDays, whose: Whose, value: (row: Row) => number): Bars[] {
  const byDay = new Map<string, Record<string, number>>(days.map((day) => [day, {}]))
  for (const row of rows) {
    const values = byDay.get(row.day)
    if (values && isOf(row, whose)) values[row.kind] = (values[row.kind] ?? 0) + value(row)
  }
  return [...byDay].map(([day, values]) => {
    const label = DAY.format(new Date(day))
    return { key: day, label, tick: label, values }
  })
}

/** Sums the markets of each bar into one series. */
export function sumMarkets(bars: readonly Bars[]): Bars[] {
  return bars.map((bar) => {
    const { crypto = 0, us_stocks: stocks = 0, us_fx: forex = 0 } = bar.values
    return { ...bar, values: { result: crypto + stocks + forex } }
  })
}

function isOf({ is_bot: isBot }: Row, whose: Whose): boolean {
  return whose === 'all' || isBot === (whose === 'bots')
}
