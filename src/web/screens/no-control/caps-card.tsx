import { capSubjectText } from '#core/markets/terms/cap-subject.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { Card } from '#ui/card.tsx'
import { formatMoney } from '#ui/format.ts'
import { capSubjectName } from '#ui/terms-text.ts'
import type { Reply } from '#web/api/call.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { serverNowMs } from '#web/site/settings.ts'

type Caps = Reply<'GET /proof/caps'>

/** The caps in force, and how many orders they refused. */
export function CapsCard({ caps }: { caps: Caps }) {
  return (
    <Card className="flex flex-col gap-3 text-small text-fg-2">
      <h2 className="text-heading text-fg">{t('no_control.caps')}</h2>
      <p>{t('no_control.caps_text')}</p>
      {caps.caps.length === 0 ? (
        <p>{t('no_control.caps_none')}</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {caps.caps.map((cap) => (
            <li key={capSubjectText(cap)}>{capText(cap)}</li>
          ))}
        </ul>
      )}
      <p>{t('no_control.caps_refused', refusedOrders(caps.refused))}</p>
    </Card>
  )
}

function capText(cap: Caps['caps'][number]): string {
  const text = t('changes.cap', {
    subject: capSubjectName(capSubjectText(cap), t),
    amount: formatMoney(moneyOf(cap.most)),
  })
  return t('no_control.caps_since', { cap: text, time: dayAndTimeText(Date.parse(cap.since)) })
}

function refusedOrders(refused: Caps['refused']): { readonly today: number; readonly month: number } {
  const today = new Date(Math.floor(serverNowMs() / DAY_MS) * DAY_MS).toISOString().slice(0, 10)
  const sum = (rows: Caps['refused']) => rows.reduce((all, { orders }) => all + orders, 0)
  return { today: sum(refused.filter(({ day }) => day === today)), month: sum(refused) }
}
