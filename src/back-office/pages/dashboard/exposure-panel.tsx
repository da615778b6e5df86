import { EXPIRY_SPANS, type Exposure } from '#contract/back-office/dashboard.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { cx } from '#ui/cx.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { money } from '#back-office/i18n/format.ts'
import type { Whose } from '#back-office/pages/dashboard/days.ts'
import { Panel } from '#back-office/pages/dashboard/panel.tsx'
import { shortMoney } from '#back-office/pages/dashboard/short-money.ts'
import { Scrolled } from '#back-office/plots/scrolled.tsx'
import { t } from '#back-office/i18n/t.ts'

type Row = Exposure['symbols'][number]

/**
 * The possible results of the open orders for the house, by symbol: when all buys win, when all sells win, and in the
 * worst case by time to expiry.
 */
export function ExposurePanel({ whose }: { whose: Whose }) {
  const exposure = useStaffQuery(staffCalls.staffDashboardExposure, { query: { whose } }, { everyMs: 10_000 })
  return (
    <Panel
      title={t('dashboard.exposure')}
      note={t('dashboard.exposure_note')}
      query={exposure}
      className="xl:col-span-2"
    >
      {({ symbols }) =>
        symbols.length === 0 ? (
          <p className="py-8 text-center text-fg-3">{t('dashboard.exposure_none')}</p>
        ) : (
          <ExposureTable symbols={symbols} />
        )
      }
    </Panel>
  )
}

function ExposureTable({ symbols }: { symbols: readonly Row[] }) {
  const maxLoss = Math.max(...symbols.flatMap(({ spans }) => spans.map(({ worst }) => -worst)), 1)
  const widest = Math.max(...symbols.flatMap((row) => [Math.abs(row.if_buys_win), Math.abs(row.if_sells_win)]), 1)
  return (
    <Scrolled label={t('dashboard.exposure')} className="max-h-[420px]">
      <table className="w-full min-w-[720px] text-label">
        <thead>
          <tr className="text-caption text-fg-3">
            <th scope="col" className="py-1.5 text-start font-medium">
              {t('dashboard.symbol')}
            </th>
            <th scope="col" className="py-1.5 text-end font-medium">
              {t('dashboard.at_stake')}
            </th>
            <th scope="col" className="py-1.5 ps-4 text-end font-medium">
              {t('dashboard.if_buys_win')}
            </th>
            <th scope="col" className="py-1.5 ps-4 text-end font-medium">
              {t('dashboard.if_sells_win')}
            </th>
            {EXPIRY_SPANS.map((span) => (
              <th key={span} scope="col" className="w-20 py-1.5 text-center font-medium">
                {t(`dashboard.span_${span}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {symbols.map((row) => (
            <tr key={row.code} className="border-t border-line">
              <th scope="row" className="py-1.5 text-start font-list">
                {row.code}
              </th>
              <td className="num py-1.5 text-end">{money(row.stakes)}</td>
              <BarCell value={row.if_buys_win} widest={widest} />
              <BarCell value={row.if_sells_win} widest={widest} />
              {EXPIRY_SPANS.map((span) => (
                <HeatCell key={span} cell={row.spans.find((one) => one.span === span)} maxLoss={maxLoss} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

/** An amount with a bar below it. */
function BarCell({ value, widest }: { value: number; widest: number }) {
  return (
    <td className="py-1.5 ps-4">
      <span className="num block text-end">{money(value)}</span>
      <span aria-hidden="true" className="flex h-1 justify-end">
        <i
          className={cx('rounded-full', value < 0 ? 'bg-flame' : 'bg-brand')}
          style={{ width: `${(100 * Math.abs(value)) / widest}%` }}
        />
      </span>
    </td>
  )
}

/**
 * The worst case of one symbol and time span. The closer its loss is to the largest loss in the table, the warmer its
 * colour.
 */
function HeatCell({ cell, maxLoss }: { cell: Row['spans'][number] | undefined; maxLoss: number }) {
  if (cell === undefined) return <td className="p-0.5 text-center text-fg-3">–</td>
  const share = Math.round((100 * Math.max(0, -cell.worst)) / maxLoss)
  return (
    <td className="p-0.5">
      <span
        className="num block rounded-pill px-1 py-1 text-center text-caption"
        style={{ backgroundColor: `color-mix(in srgb, var(--flame) ${share * 0.3}%, var(--surface-2))` }}
      >
        {shortMoney(cell.worst)}
      </span>
    </td>
  )
}
