import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MarketList, SymbolItem } from '#contract/markets.ts'
import { DAY_MS, HOUR_MS } from '#core/time/instant.ts'
import { aSymbol } from '#test/support/web-fixtures.ts'
import { serverNow } from '#web/live/live-client.ts'
import { PriceHeader } from '#web/screens/trade/price-header.tsx'

const HOURS = { opens_at: null, closes_at: null, reason: null }
const LIST: MarketList = {
  trade_settings: [],
  prices: [],
  trading_profit: 85,
  currencies: [],
  market_status: { crypto: true, us_stocks: true, us_fx: true },
  market_hours: { crypto: HOURS, us_stocks: HOURS, us_fx: HOURS },
  trade_status: 1,
  trade_reason: '',
  image_path: '',
}

function draw(rest: Partial<SymbolItem>): void {
  render(<PriceHeader list={LIST} item={aSymbol({ symbol: 'TSLA', ...rest })} onFavorite={() => undefined} />)
}

const splitAt = (appliesAt: number) => [{ new_shares: 3, old_shares: 1, applies_at: appliesAt }]

test.each([
  [
    'an announced split and until when orders may run',
    2 * HOUR_MS,
    /^TSLA shares split 3:1 on .*Orders must expire before that/,
  ],
  ['that candles before a split show prices as traded', -2 * HOUR_MS, /^TSLA shares split 3:1 on .*prices as traded/],
])('P7: a notice tells %s', (_, afterMs, notice) => {
  draw({ splits: splitAt(serverNow() + afterMs) })
  expect(screen.getByText(notice)).toBeTruthy()
})

test('P7: the header shows no notice of a split that is older than the 7 days of a chart of minutes', () => {
  draw({ splits: splitAt(serverNow() - 8 * DAY_MS) })
  expect(screen.queryByText(/shares split/)).toBeNull()
})

test('P7: a symbol without figures of the day shows dashes', () => {
  draw({ price: null, change: null, high: null, low: null, open: null, volume: null })
  expect(screen.getAllByText('–').length).toBeGreaterThanOrEqual(5)
})
