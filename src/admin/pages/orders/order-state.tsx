import type { OrderRow } from '#contract/admin/orders.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { t } from '#admin/t.ts'

const OUTCOME = { open: 'pending', won: 'won', lost: 'lost', draw: 'draw', void: 'void' } as const

export function OrderState({ state }: Pick<OrderRow, 'state'>) {
  return <OutcomePill outcome={OUTCOME[state]}>{t(`orders.${state}`)}</OutcomePill>
}

/** "50,000.00" with the decimals of its symbol. */
export function priceText(price: number | null, decimals: number): string {
  if (price === null) return '–'
  return price.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}
