import type { ArrivalState as State } from '#core/wallet/deposit-state.ts'
import { OutcomePill, Pill } from '#ui/pill.tsx'
import { t } from '#back-office/i18n/t.ts'

export function ArrivalState({ state }: { state: State }) {
  if (state === 'unassigned') return <Pill tone="warn">{t('arrivals.unassigned')}</Pill>
  if (state === 'seen' || state === 'confirmed') return <Pill>{t(`arrivals.${state}`)}</Pill>
  return <OutcomePill outcome={state === 'credited' ? 'success' : 'cancelled'}>{t(`arrivals.${state}`)}</OutcomePill>
}
