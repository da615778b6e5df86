import type { OrderRow } from '#contract/back-office/orders.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { t } from '#back-office/i18n/t.ts'

const OUTCOME = { open: 'pending', won: 'won', lost: 'lost', draw: 'draw', void: 'void', sold: 'sold' } as const

export function OrderState({ state }: Pick<OrderRow, 'state'>) {
  return <OutcomePill outcome={OUTCOME[state]}>{t(`orders.${state}`)}</OutcomePill>
}
