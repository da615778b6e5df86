import type { SymbolRow } from '#contract/back-office/symbols.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { t } from '#back-office/i18n/t.ts'

/** Whether orders are accepted for a symbol, and if not, why. */
export function SymbolState({ row }: { row: SymbolRow }) {
  if (!row.is_listed) return <OutcomePill outcome="cancelled">{t('markets.not_listed')}</OutcomePill>
  if (row.closed_by === null) return <OutcomePill outcome="success">{t('markets.open')}</OutcomePill>
  return (
    <OutcomePill outcome={row.closed_by === 'calendar' ? 'pending' : 'rejected'}>
      {t(`markets.closed_by_${row.closed_by}`)}
    </OutcomePill>
  )
}
