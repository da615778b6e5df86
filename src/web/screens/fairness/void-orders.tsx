import type { Voids } from '#contract/voids.ts'
import { VOID_REASONS } from '#core/orders/order.ts'
import { cx } from '#ui/cx.ts'
import { formatCount, formatMoney } from '#ui/format.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { Section } from '#web/screens/fairness/section.tsx'

/** 1 in 100: if chance alone gives a split between users and site less often than this, the split is highlighted. */
const UNLIKELY = 0.01

/**
 * Void orders by cause, results by late evidence, and how void orders whose source has no public history would have
 * ended.
 */
export function VoidOrders() {
  const query = useCallQuery('GET /proof/voids', { query: { by: 'cause' } })
  const voids = query.data?.data.voids ?? null
  const audit = useCallQuery('GET /proof/audit', {}).data?.data.audit ?? null
  return (
    <Section title={t('fairness.voids_title')}>
      <ListStates query={query} isEmpty={voids === null} emptyText={t('fairness.empty')}>
        {voids && <Counts voids={voids} />}
        {audit && (
          <p className="text-small">
            {t('fairness.audit', {
              compared: formatCount(audit.compared),
              equal: formatCount(audit.equal),
              different: formatCount(audit.different),
            })}
          </p>
        )}
      </ListStates>
    </Section>
  )
}

function Counts({ voids }: { voids: Voids }) {
  const { lines, late, orders, without_record: stands, pauses, made_good: amendments } = voids
  return (
    <>
      <p className="text-label text-fg-2">{t('fairness.voids_hint')}</p>
      {lines.length === 0 ? (
        <p className="text-small">{t('fairness.voids_none')}</p>
      ) : (
        <dl className="flex flex-col gap-2 text-small">
          {lines.map((line) => (
            <div key={line.of} className="flex items-baseline justify-between gap-3">
              <dt>
                {causeText(line.of)}
                {line.while_down > 0 && (
                  <span className="block text-label text-fg-2">
                    {t('fairness.voids_down', { count: formatCount(line.while_down) })}
                  </span>
                )}
              </dt>
              <dd className="num font-semibold">{formatCount(line.orders)}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className="text-small">
        {t('fairness.late_results', { late: formatCount(late), orders: formatCount(orders) })}
      </p>
      <h3 className="text-small font-semibold">{t('fairness.stand_title')}</h3>
      <ul className="flex flex-col gap-2 text-small">
        {stands.map(({ days, against_users: users, against_site: site, chance }) => (
          <li key={days} className={cx(chance < UNLIKELY && 'font-semibold text-down')}>
            {t('fairness.stand', {
              days: t('trade.days', { count: days }),
              users: formatCount(users),
              site: formatCount(site),
              chance: chanceText(chance),
            })}
          </li>
        ))}
      </ul>
      {pauses.map(({ symbol, why, from, until }) => (
        <p key={why + symbol + from} className="text-small">
          {until === null
            ? t('fairness.record_unread', { symbol, from: timeText(from) })
            : t('fairness.paused', { symbol, from: timeText(from), until: timeText(until) })}
        </p>
      ))}
      <p className="text-small">
        {t('fairness.made_good', {
          orders: formatCount(amendments.orders),
          amount: formatMoney(moneyOf(amendments.amount)),
        })}
      </p>
      {amendments.waiting.map(({ source, orders: count, amount, pays_at: paysAt }) => (
        <p key={source + paysAt} className="text-small">
          {t('fairness.made_good_waiting', {
            source,
            orders: formatCount(count),
            amount: formatMoney(moneyOf(amount)),
            time: timeText(paysAt),
          })}
        </p>
      ))}
    </>
  )
}

function causeText(cause: string): string {
  const known = VOID_REASONS.find((reason) => reason === cause)
  return known === undefined ? cause : t(`transaction_history.void_${known}`)
}

function timeText(iso: string): string {
  return dayAndTimeText(Date.parse(iso))
}

/** Formats a chance as a percentage. The server computes 12 digits. */
function chanceText(chance: number): string {
  return `${Number((chance * 100).toPrecision(2))}%`
}
