import { calls } from '#contract/calls.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { priceNumber } from '#core/money/price.ts'
import { DISPLAY_CURRENCIES, displayRates, pairsOf } from '#core/wallet/display-rates.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import type { Ticks } from '#server/market-data/ticks.ts'

interface DisplayRatesParts {
  readonly settings: Settings
  readonly catalogue: MarketCatalogue
  readonly ticks: Pick<Ticks, 'quote'>
}

export function displayRatesRoutes(register: Register, { settings, catalogue, ticks }: DisplayRatesParts): void {
  const pairs = DISPLAY_CURRENCIES.flatMap(pairsOf)

  register(calls.displayRates, async () => {
    const prices = new Map(pairs.map((pair) => [pair, lastPrice(pair)]))
    return answer({
      base: BASE_CURRENCY,
      rates: displayRates((pair) => prices.get(pair) ?? null, settings.current.displayRates),
      indicative_as_of: settings.current.displayRatesAsOf,
    })
  })

  /** Returns the newest price of a pair, even when it is old. On a weekend it is Friday's price. */
  function lastPrice(pair: string): number | null {
    const symbol = catalogue.find(pair)
    if (symbol === null) return null
    const quote = ticks.quote(symbol.id)
    return quote && priceNumber(quote.last, symbol.decimals)
  }
}
