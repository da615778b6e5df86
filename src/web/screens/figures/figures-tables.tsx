import { useState } from 'react'
import type { CountedOrders, FiguresOut } from '#contract/figures.ts'
import { Card } from '#ui/card.tsx'
import { cx } from '#ui/cx.ts'
import { fadeEnds } from '#ui/fade-ends.ts'
import { formatCount, formatRate } from '#ui/format.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { weekdayName } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { useIsTabletUp } from '#web/shell/use-is-desktop.ts'
import { lengthText } from '#web/receipts/order-text.ts'

/** A row of the table with its name. */
interface Line extends CountedOrders {
  readonly name: string
}

/** The orders by day, market, duration and weekday. */
export function FiguresTables({ figures }: { figures: FiguresOut }) {
  return (
    <>
      <FiguresTable
        title={t('figures.by_day')}
        column={t('figures.day')}
        lines={figures.by_day.map(({ day, ...counted }) => ({ name: day, ...counted }))}
      />
      <FiguresTable
        title={t('figures.by_market')}
        column={t('figures.market')}
        lines={figures.by_market.map(({ symbol, ...counted }) => ({ name: symbol, ...counted }))}
      />
      <FiguresTable
        title={t('figures.by_expiry')}
        column={t('figures.duration')}
        lines={figures.by_expiry.map(({ seconds, ...counted }) => ({ name: lengthText(seconds), ...counted }))}
      />
      <FiguresTable
        title={t('figures.by_weekday')}
        column={t('figures.weekday')}
        lines={figures.by_weekday.map(({ weekday, ...counted }) => ({ name: weekdayName(weekday), ...counted }))}
      />
    </>
  )
}

const COLUMNS = ['orders', 'staked', 'net', 'hit_rate', 'break_even'] as const
type Column = (typeof COLUMNS)[number]

interface FiguresTableProps {
  title: string
  /** The heading of the first column. */
  column: string
  lines: readonly Line[]
}

/** A table in the order of its first column, until the user sorts it by another. */
function FiguresTable({ title, column, lines }: FiguresTableProps) {
  const [sorted, setSorted] = useState<{ by: Column; isDescending: boolean } | null>(null)
  const names: Readonly<Record<Column, string>> = {
    orders: t('figures.orders'),
    staked: t('figures.staked'),
    net: t('figures.net'),
    hit_rate: t('figures.hit'),
    break_even: t('fairness.break_even'),
  }
  const shown = sorted === null ? lines : lines.toSorted((one, other) => compare(one, other, sorted))
  const sort = (by: Column) => setSorted({ by, isDescending: sorted?.by === by ? !sorted.isDescending : true })
  const isWide = useIsTabletUp()
  const first = (
    <button type="button" className="hit" onClick={() => setSorted(null)}>
      {column}
    </button>
  )
  return (
    <Card padded={false} className="py-3">
      <h2 className="px-4 font-semibold">{title}</h2>
      <section ref={fadeEnds} className="overflow-x-auto px-4" aria-label={title}>
        <table className={cx('w-full', isWide ? 'text-label' : 'text-caption')}>
          <thead className="text-fg-2">
            {!isWide && (
              <tr>
                <th colSpan={COLUMNS.length} className="pt-1 text-start font-medium">
                  {first}
                </th>
              </tr>
            )}
            <tr>
              {isWide && <th className="py-1 text-start font-medium">{first}</th>}
              {COLUMNS.map((name) => (
                <th
                  key={name}
                  aria-sort={sorted?.by === name ? (sorted.isDescending ? 'descending' : 'ascending') : undefined}
                  className={cx('py-1 text-end align-bottom font-medium', isWide && 'ps-3 whitespace-nowrap')}
                >
                  <button type="button" className="hit" onClick={() => sort(name)}>
                    {names[name]}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          {shown.map((line) => (
            <TableLine key={line.name} line={line} isWide={isWide} />
          ))}
        </table>
      </section>
    </Card>
  )
}

/** A line of the table. On phones the name of the line has a separate row, so that all columns fit. */
function TableLine({ line, isWide }: { line: Line; isWide: boolean }) {
  const name = <bdi>{line.name}</bdi>
  return (
    <tbody className="border-t border-line">
      {!isWide && (
        <tr>
          <th scope="rowgroup" colSpan={COLUMNS.length} className="pt-1.5 text-start text-label font-medium">
            {name}
          </th>
        </tr>
      )}
      <tr>
        {isWide && (
          <th scope="row" className="py-1.5 text-start font-medium whitespace-nowrap">
            {name}
          </th>
        )}
        {COLUMNS.map((column) => (
          <td key={column} className={cx('text-end whitespace-nowrap', isWide ? 'py-1.5 ps-3' : 'pb-1.5')}>
            <span dir="ltr" className="num">
              {spoken(cellText(line, column))}
            </span>
          </td>
        ))}
      </tr>
    </tbody>
  )
}

function cellText(line: Line, column: Column): string {
  const value = line[column]
  if (value === null) return '–'
  if (column === 'orders') return formatCount(value)
  if (column === 'hit_rate' || column === 'break_even') return formatRate(value)
  return ownMoney(moneyOf(value), { plus: column === 'net' })
}

function compare(one: Line, other: Line, { by, isDescending }: { by: Column; isDescending: boolean }): number {
  const difference = (one[by] ?? -Infinity) - (other[by] ?? -Infinity)
  return isDescending ? -difference : difference
}
