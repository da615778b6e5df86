import { MARKET_TYPES, type MarketType, readMarketType } from '#core/markets/market.ts'
import { Select } from '#ui/select.tsx'
import { t } from '#back-office/i18n/t.ts'

/** A select for the market type. */
export function MarketSelect({ value, onChange }: { value: MarketType; onChange: (market: MarketType) => void }) {
  return (
    <Select
      label={t('markets.market')}
      value={value}
      options={MARKET_TYPES.map((market) => ({ value: market, label: t(`markets.${market}`) }))}
      onChange={(text) => {
        const market = readMarketType(text)
        if (market !== null) onChange(market)
      }}
    />
  )
}
