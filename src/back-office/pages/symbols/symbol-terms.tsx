import type { SymbolDetailRow } from '#contract/back-office/symbols.ts'
import { Alert } from '#ui/alert.tsx'
import { openText } from '#back-office/pages/symbols/symbol-form.tsx'
import { AnnounceTerms } from '#back-office/terms/announce-terms.tsx'
import { symbolChoices } from '#back-office/terms/terms-choice.ts'
import { t } from '#back-office/i18n/t.ts'

/**
 * The form that announces changes of a symbol: its maximum price age, whether it is listed, and its terms for selling
 * orders early.
 */
export function SymbolTerms({ symbol }: { symbol: SymbolDetailRow }) {
  return (
    <>
      {symbol.is_listed && symbol.open_orders > 0 && (
        <Alert tone="warn" title={openText(symbol)} className="mb-3">
          {t('markets.unlist_warning')}
        </Alert>
      )}
      <AnnounceTerms of={symbol.code} choices={symbolChoices(symbol.is_listed, symbol.market_type)} />
    </>
  )
}
