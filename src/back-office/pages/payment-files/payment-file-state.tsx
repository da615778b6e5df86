import type { PaymentFileState as State } from '#core/wallet/payment-file.ts'
import { OutcomePill, Pill } from '#ui/pill.tsx'
import { t } from '#back-office/i18n/t.ts'

export function PaymentFileState({ state }: { state: State }) {
  if (state === 'open') return <Pill tone="brand">{t('payment_files.open')}</Pill>
  return <OutcomePill outcome={state === 'done' ? 'success' : 'cancelled'}>{t(`payment_files.${state}`)}</OutcomePill>
}
