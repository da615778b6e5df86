import { useState } from 'react'
import type { LimitsOut } from '#contract/limits.ts'
import { COOLING_MS, REALITY_MINUTES } from '#core/accounts/self-limits.ts'
import { List, ListRow } from '#ui/list-row.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { ruleText } from '#web/limits/limit-text.ts'
import { ChoiceSheet } from '#web/screens/limits/choice-sheet.tsx'
import { serverNowMs } from '#web/site/settings.ts'

interface OtherRulesProps {
  own: LimitsOut
  onDone: () => void
}

/** The rules that are no amounts: the reality check and the withdrawal lock. */
export function OtherRules({ own, onDone }: OtherRulesProps) {
  const [open, setOpen] = useState<'reality' | 'lock' | null>(null)
  const minutes = own.reality.minutes
  const time = dayAndTimeText(serverNowMs() + COOLING_MS)
  const lock = ruleText('withdrawal_lock', own.withdrawal_lock ? 1 : null)
  return (
    <>
      <List>
        <ListRow
          label={t('limits.reality')}
          detail={t('limits.reality_hint')}
          value={ruleText('reality_check', minutes)}
          onClick={() => setOpen('reality')}
        />
        {own.withdrawal_lock_fixed ? (
          <ListRow label={t('limits.lock')} detail={t('limits.lock_fixed')} value={lock} />
        ) : (
          <ListRow
            label={t('limits.lock')}
            detail={t('limits.lock_hint')}
            value={lock}
            onClick={() => setOpen('lock')}
          />
        )}
      </List>
      <ChoiceSheet
        key={`reality ${minutes}`}
        title={t('limits.reality')}
        hint={t('limits.when', { time })}
        options={[...REALITY_MINUTES, null].map((one) => ({
          value: String(one),
          label: ruleText('reality_check', one),
        }))}
        value={String(minutes)}
        change={(value) => ({
          key: 'reality_check',
          value: REALITY_MINUTES.find((one) => String(one) === value) ?? null,
        })}
        open={open === 'reality'}
        onClose={() => setOpen(null)}
        onDone={onDone}
      />
      <ChoiceSheet
        key={`lock ${own.withdrawal_lock}`}
        title={t('limits.lock')}
        hint={t('limits.lock_when', { time })}
        options={[1, null].map((one) => ({ value: String(one), label: ruleText('withdrawal_lock', one) }))}
        value={String(own.withdrawal_lock ? 1 : null)}
        change={(value) => ({ key: 'withdrawal_lock', value: value === '1' })}
        open={open === 'lock'}
        onClose={() => setOpen(null)}
        onDone={onDone}
      />
    </>
  )
}
