import type { LinePoint } from '#core/proof/bundle-file.ts'
import type { LogTick } from '#core/markets/log-text.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import type { ResultFacts } from '#core/proof/receipt-facts.ts'
import { Card, SectionLabel } from '#ui/card.tsx'
import { cx } from '#ui/cx.ts'
import { fadeEnds } from '#ui/fade-ends.ts'
import { groupedNumber } from '#ui/format.ts'
import { clockTimeMs, clockZone } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { nextTick } from '#web/receipts/next-tick.ts'
import { priceOf } from '#web/receipts/price-of.ts'

interface TicksAroundProps {
  facts: ResultFacts
  ticks: readonly LogTick[]
  log: readonly LogBatch[]
  /** The first tick after the expiry, if it arrived after the price was decided. */
  next: LinePoint | null
}

const [BEFORE, AFTER] = [5, 3]

/** The logged ticks around the expiry: the exit tick, the ticks before it, and the first ticks after the expiry. */
export function TicksAround({ facts, ticks, log, next }: TicksAroundProps) {
  const { expires_ms, exit, decimals, decided_head } = facts
  const first = log[0]?.first_seq ?? 0
  const known = new Map(ticks.map((tick) => [tick.q, tick]))
  const own = [...known.values()].filter(({ q }) => q >= first && q <= decided_head.q)
  const unit = 10 ** decimals
  const before = own.filter(({ timeMs }) => timeMs <= expires_ms)
  const after = own.filter(({ timeMs }) => timeMs > expires_ms)
  const later = nextTick(facts, next)
  const isListed = later === null || own.some(({ q }) => q === later.q)
  const shown = [
    ...before.slice(-BEFORE),
    ...(isListed ? [] : [{ ...later, price: Math.round(later.price * unit) }]),
    ...after.slice(0, AFTER),
  ]
  if (shown.length === 0) return null
  return (
    <section>
      <SectionLabel>{t('check.around', { time: `${clockTimeMs(expires_ms)} ${clockZone(expires_ms)}` })}</SectionLabel>
      <Card padded={false} className="px-2 py-1">
        <div ref={fadeEnds} className="overflow-x-auto">
          <table className="w-full text-label">
            <thead className="sr-only">
              <tr>
                <th scope="col">{t('check.place')}</th>
                <th scope="col">{t('check.time')}</th>
                <th scope="col">{t('check.price')}</th>
                <th scope="col">{t('check.exit')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ q, timeMs, price }) => {
                const isExit = q === exit?.q
                const isAfter = timeMs > expires_ms
                return (
                  <tr
                    key={q}
                    className={cx(
                      'h-10 border-t border-line *:px-1.5 first:border-0',
                      isExit && 'bg-brand-tint',
                      isAfter && 'text-fg-3',
                    )}
                  >
                    <td className="mono">{groupedNumber(String(q))}</td>
                    <td className="mono">{clockTimeMs(timeMs)}</td>
                    <td dir="ltr" className="num text-end font-semibold">
                      {priceOf(price, decimals)}
                    </td>
                    <td className={cx('text-end', isExit && 'font-semibold text-brand')}>
                      {isExit ? t('check.exit') : isAfter ? t('check.after') : ''}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      </Card>
    </section>
  )
}
