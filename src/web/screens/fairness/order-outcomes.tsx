import { useState } from 'react'
import type { Fairness, FairnessGroup } from '#contract/fairness.ts'
import { formatRate } from '#ui/format.ts'
import { Select } from '#ui/select.tsx'
import { t } from '#web/i18n/t.ts'
import { type OutcomeLine, outcomeLines } from '#web/screens/fairness/outcome-lines.ts'
import { Section, TooFew } from '#web/screens/fairness/section.tsx'
import { ShareBar } from '#web/screens/fairness/share-bar.tsx'
import { lengthText } from '#web/receipts/order-text.ts'
import { OutcomeCounts } from '#web/receipts/outcome-counts.tsx'

interface OrderOutcomesProps {
  group: FairnessGroup
  expiries: Fairness['expiries']
  minUsers: number
}

/** Wins, losses, draws and voids by expiry and payout, beside the break-even share of wins. */
export function OrderOutcomes({ group, expiries, minUsers }: OrderOutcomesProps) {
  const [symbol, setSymbol] = useState('')
  const symbols = [...new Set(group.orders.map((line) => line.symbol))].filter((code) => code !== null)
  return (
    <Section title={t('fairness.orders_title')}>
      {group.orders.length === 0 ? (
        <>
          <TooFew minUsers={minUsers} />
          <ul className="flex flex-col gap-1 text-small">
            {expiries.map(({ seconds, payout, break_even }) => (
              <li key={seconds}>
                <Terms seconds={seconds} payout={payout} breakEven={break_even} />
              </li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <Select
            label={t('fairness.symbol')}
            options={[
              { value: '', label: t('fairness.all') },
              ...symbols.map((code) => ({ value: code, label: code })),
            ]}
            value={symbol}
            onChange={setSymbol}
          />
          <p className="text-label text-fg-2">{t('fairness.won')}</p>
          <ul className="flex flex-col gap-5">
            {outcomeLines(group.orders, symbol === '' ? null : symbol).map((line) => (
              <li key={line.key}>
                <Outcome line={line} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="text-label text-fg-2">{t('fairness.private', { least: minUsers })}</p>
    </Section>
  )
}

function Outcome({ line }: { line: OutcomeLine }) {
  const { seconds, payout, break_even: breakEven, wins, losses } = line
  const decided = wins + losses
  const won = decided === 0 ? null : (wins / decided) * 100
  return (
    <>
      <div className="mb-1.5 flex items-baseline justify-between gap-3 text-small">
        <Terms seconds={seconds} payout={payout} breakEven={breakEven} />
        <b className="num">{won === null ? '–' : formatRate(won)}</b>
      </div>
      <ShareBar percent={won ?? 0} mark={breakEven ?? undefined} tone="up" />
      <OutcomeCounts of={line} className="mt-1.5" />
    </>
  )
}

interface TermsProps {
  seconds: number | null
  payout: number | null
  breakEven: number | null
}

function Terms({ seconds, payout, breakEven }: TermsProps) {
  if (seconds === null || payout === null || breakEven === null) return <span>{t('fairness.others')}</span>
  return (
    <span className="flex flex-wrap gap-x-2">
      <b>{lengthText(seconds)}</b>
      <span className="text-fg-2">
        {t('fairness.payout')} <span className="num">{formatRate(payout)}</span>
      </span>
      <span className="text-fg-2">
        {t('fairness.break_even')} <span className="num">{formatRate(breakEven)}</span>
      </span>
    </span>
  )
}
