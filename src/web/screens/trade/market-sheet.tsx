import type { MarketList, SymbolItem } from '#contract/markets.ts'
import { Sheet } from '#ui/sheet.tsx'
import { t } from '#web/i18n/t.ts'
import { MarketPicker } from '#web/screens/trade/market-picker.tsx'

interface MarketSheetProps {
  list: MarketList
  current: SymbolItem
  open: boolean
  onClose: () => void
}

/** The sheet with all symbols, for phones and tablets. */
export function MarketSheet({ list, current, open, onClose }: MarketSheetProps) {
  return (
    <Sheet open={open} onClose={onClose} closeLabel={t('common.close')} title={t('trade.choose_symbol')}>
      <MarketPicker list={list} current={current} onChosen={onClose} />
    </Sheet>
  )
}
