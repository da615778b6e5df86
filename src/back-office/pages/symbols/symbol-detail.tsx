import type { SymbolDetailRow } from '#contract/back-office/symbols.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { price, time } from '#back-office/i18n/format.ts'
import { CloseByHand } from '#back-office/pages/symbols/close-by-hand.tsx'
import { SymbolBadge } from '#back-office/pages/symbols/symbol-badge.tsx'
import { openText, SymbolForm } from '#back-office/pages/symbols/symbol-form.tsx'
import { SymbolPicture } from '#back-office/pages/symbols/symbol-picture.tsx'
import { SymbolSplits } from '#back-office/pages/symbols/symbol-splits.tsx'
import { SymbolTerms } from '#back-office/pages/symbols/symbol-terms.tsx'
import { SymbolState } from '#back-office/pages/symbols/symbol-state.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { sourceName } from '#back-office/i18n/source-mark.ts'
import { t } from '#back-office/i18n/t.ts'
import { ComingTerms } from '#back-office/terms/coming-terms.tsx'

const REFRESH_MS = 10_000
const TERMS = ['symbol', 'max_tick_age', 'sale', 'sale_pause'] as const

export function SymbolDetail({ code, onClose }: { code: string; onClose: () => void }) {
  const symbol = useStaffQuery(staffCalls.staffSymbol, { params: { code } }, { everyMs: REFRESH_MS })
  const mayEdit = useMay('markets.edit')
  return (
    <DetailPane title={code} subtitle={symbol.data?.name} query={symbol} onClose={onClose}>
      {symbol.data && (
        <>
          <SymbolFacts row={symbol.data} />
          {mayEdit && <CloseByHand symbol={symbol.data} />}
          {mayEdit && <SymbolPicture symbol={symbol.data} />}
          {symbol.data.market_type === 'us_stocks' && <SymbolSplits code={code} />}
          <ComingTerms parts={TERMS} of={symbol.data.code} />
          {mayEdit && <SymbolTerms symbol={symbol.data} />}
          {mayEdit && <SymbolForm symbol={symbol.data} />}
        </>
      )}
    </DetailPane>
  )
}

function SymbolFacts({ row }: { row: SymbolDetailRow }) {
  return (
    <>
      <div className="flex items-center gap-3 pb-4">
        <SymbolBadge row={row} size={40} />
        <span className="min-w-0 flex-1">
          <b className="block truncate text-heading">{row.name}</b>
          <SymbolState row={row} />
        </span>
      </div>
      {row.closed_reason !== null && (
        <Block title={t('markets.reason')}>
          <p className="rounded-field bg-surface-2 px-3 py-2 break-words">{row.closed_reason}</p>
        </Block>
      )}
      <Block title={t('markets.prices')}>
        <Facts>
          <Fact name={t('markets.price')}>
            {row.price === null ? t('markets.no_price') : price(row.price, row.decimals)}
          </Fact>
          {row.price_at !== null && <Fact name={t('markets.when')}>{time(row.price_at)}</Fact>}
          <Fact name={t('markets.open_now')}>{openText(row)}</Fact>
          <Fact name={t('markets.max_age')}>{t('markets.seconds', { value: row.max_tick_age_ms / SECOND_MS })}</Fact>
          <Fact name={t('markets.tick_size')}>{row.tick_size}</Fact>
          <Fact name={t('markets.source')}>
            {t('markets.source_as', { source: sourceName(row.source), symbol: row.provider_symbol })}
          </Fact>
        </Facts>
      </Block>
    </>
  )
}
