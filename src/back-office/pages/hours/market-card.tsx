import { useState } from 'react'
import type { CalendarEntry, MarketHoursOut } from '#contract/back-office/market-hours.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Folded } from '#ui/folded.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { time } from '#back-office/i18n/format.ts'
import { CloseForm } from '#back-office/pages/hours/close-form.tsx'
import { endTime, shortTime } from '#back-office/pages/hours/short-time.ts'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'
import { AnnounceTerms } from '#back-office/terms/announce-terms.tsx'
import { ComingTerms } from '#back-office/terms/coming-terms.tsx'
import { marketChoices } from '#back-office/terms/terms-choice.ts'

const PAUSES = ['sale_pause'] as const

/** One market: its state, its actions, and its next days. */
export function MarketCard({ market }: { market: MarketHoursOut }) {
  const mayEdit = useMay('markets.edit')
  const { market_type: type, is_open: isOpen } = market
  return (
    <section aria-labelledby={`market-${type}`} className="card flex flex-col gap-3 p-5">
      <div className="flex items-center justify-between gap-3">
        <h2 id={`market-${type}`} className="text-heading font-semibold">
          {t(`markets.${type}`)}
        </h2>
        <OutcomePill outcome={isOpen ? 'success' : 'rejected'}>
          {t(isOpen ? 'markets.open' : 'markets.closed')}
        </OutcomePill>
      </div>
      <p className="num text-fg-2">{changesText(market)}</p>
      {market.closed_reason !== null && (
        <p className="rounded-field bg-warn-tint px-3 py-2 break-words">
          {market.closed_reason}
          {market.closed_since !== null && (
            <span className="num block text-caption text-fg-2">
              {t('markets.closed_since', { time: time(market.closed_since) })}
            </span>
          )}
        </p>
      )}
      {mayEdit && <CloseMarket market={market} />}
      <ComingTerms parts={PAUSES} of={type} />
      {mayEdit && (
        <Folded summary={t('markets.pause_sales')}>
          <AnnounceTerms of={type} choices={marketChoices()} />
        </Folded>
      )}
      {market.calendar.length > 0 && <Calendar entries={market.calendar} />}
    </section>
  )
}

function changesText({ is_open: isOpen, opens_at: opens, closes_at: closes }: MarketHoursOut): string {
  if (opens !== null) return t('markets.opens_at', { time: time(opens) })
  if (closes !== null) return t('markets.closes_at', { time: time(closes) })
  return isOpen ? t('markets.always') : ''
}

function CloseMarket({ market }: { market: MarketHoursOut }) {
  const toast = useToast()
  const [words, setWords] = useState('')
  const notifyDone = (text: string) => () => {
    setWords('')
    toast({ tone: 'success', text })
  }
  const close = useStaffChange(staffCalls.staffCloseMarket, { onDone: notifyDone(t('markets.done_closed')) })
  const open = useStaffChange(staffCalls.staffOpenMarket, { onDone: notifyDone(t('markets.done_market_opened')) })
  const { market_type: type, version } = market
  return (
    <CloseForm
      isClosed={market.closed_reason !== null}
      labels={{ close: t('markets.close_market'), open: t('markets.open_market') }}
      words={words}
      onWords={setWords}
      isBusy={close.isPending || open.isPending}
      failure={close.error ?? open.error}
      onClose={() => close.mutate({ params: { type }, body: { version, words: words.trim() } })}
      onOpen={() => open.mutate({ params: { type }, body: { version } })}
    />
  )
}

function Calendar({ entries }: { entries: readonly CalendarEntry[] }) {
  return (
    <div>
      <h3 className="pb-1 text-caption font-medium text-fg-3">{t('markets.calendar')}</h3>
      <ul>
        {entries.map(({ kind, from, to }) => (
          <li key={`${kind} ${from}`} className="flex justify-between gap-3 border-t border-line py-1.5">
            <span className={kind === 'session' ? 'text-fg-2' : 'font-semibold text-warn'}>
              {t(`markets.kind_${kind}`)}
            </span>
            <span className="num text-end">
              {shortTime(from)} {t('markets.until', { time: endTime({ from, to }) })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
