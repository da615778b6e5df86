import type { SymbolRow } from '#contract/back-office/symbols.ts'
import { SYMBOL_IMAGE_PATH } from '#core/markets/market.ts'
import { hueOfColor } from '#ui/hue-of-color.ts'
import { SymbolMark } from '#ui/symbol-mark.tsx'

/** A symbol as users see it: its picture, or a badge in its colour. */
export function SymbolBadge({ row, size = 32 }: { row: SymbolRow; size?: number }) {
  return (
    <SymbolMark
      code={row.code}
      marketType={row.market_type}
      hue={hueOfColor(row.color)}
      size={size}
      picture={row.image === '' ? undefined : SYMBOL_IMAGE_PATH + row.image}
    />
  )
}
