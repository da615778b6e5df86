/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing has no tag of its own for this role */
import { useState } from 'react'
import type { FiguresOut } from '#contract/figures.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { ownMoney, spoken, spokenText } from '#web/session/own-money.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'

const WIDTH = 300
const HEIGHT = 120

/** Begins with a left-to-right mark, so that the sign stays in front of the amount in right-to-left texts. */
function netText(net: number): string {
  return `\u200E${ownMoney(moneyOf(net), { plus: true })}`
}

/** The net result over time, with a zero line. Steps between results are straight, in a neutral colour. */
export function NetLine({ line }: { line: FiguresOut['line'] }) {
  const [hasTable, setTable] = useState(false)
  const [first, last] = [line[0], line.at(-1)]
  if (first === undefined || last === undefined) return null
  const amounts = [0, ...line.map(([, net]) => net)]
  const [lowest, highest] = [Math.min(...amounts), Math.max(...amounts)]
  const label = t('figures.line_text', {
    from: dayAndTimeText(first[0]),
    to: dayAndTimeText(last[0]),
    low: netText(lowest),
    high: netText(highest),
    end: netText(last[1]),
  })
  const x = (ms: number) => (last[0] === first[0] ? WIDTH : ((ms - first[0]) / (last[0] - first[0])) * WIDTH)
  const y = (net: number) => (highest === lowest ? HEIGHT / 2 : ((highest - net) / (highest - lowest)) * HEIGHT)
  return (
    <Card>
      <h2 className="mb-2 font-semibold">{t('figures.line')}</h2>
      <svg
        viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={spokenText(label)}
        className="h-32 w-full"
      >
        <line x1="0" x2={WIDTH} y1={y(0)} y2={y(0)} stroke="var(--line-strong)" vectorEffect="non-scaling-stroke" />
        <polyline
          points={line.map(([ms, net]) => `${x(ms).toFixed(2)},${y(net).toFixed(2)}`).join(' ')}
          fill="none"
          stroke="var(--text-2)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <p className="mt-2 text-label text-fg-2">{spoken(label)}</p>
      <Button variant="quiet" size="s" className="mt-2" aria-expanded={hasTable} onClick={() => setTable(!hasTable)}>
        {t(hasTable ? 'figures.hide_table' : 'figures.show_table')}
      </Button>
      {hasTable && (
        <table className="mt-2 w-full text-label">
          <caption className="sr-only">{t('figures.line')}</caption>
          <thead>
            <tr>
              <th className="text-start font-medium text-fg-2">{t('statement.time')}</th>
              <th className="text-end font-medium text-fg-2">{t('figures.net')}</th>
            </tr>
          </thead>
          <tbody>
            {line.map(([ms, net], at) => (
              // oxlint-disable-next-line react/no-array-index-key -- several results have the same time
              <tr key={at} className="border-t border-line">
                <td className="py-1 tabular-nums">{dayAndTimeText(ms)}</td>
                <td className="py-1 text-end">
                  <span dir="ltr" className="num">
                    {spoken(netText(net))}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
