import { useEffect } from 'react'
import type { DisplayCurrency } from '#core/wallet/display-rates.ts'
import { call, type Reply } from '#web/api/call.ts'
import { createStore, useStore } from '#ui/state/store.ts'

export type DisplayRates = Reply<'GET /user/display-rates'>
export type DisplayRate = DisplayRates['rates'][number]

const REFRESH_MS = 60_000

const store = createStore<DisplayRates | null>(null)
let requestedAt = Number.NEGATIVE_INFINITY

/** Returns the rates of display currencies, refreshed once a minute while `wanted`; null until loaded. */
export function useDisplayRates({ wanted }: { wanted: boolean }): DisplayRates | null {
  useEffect(() => {
    if (!wanted) return undefined
    void refresh()
    const timer = setInterval(() => void refresh(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [wanted])
  return useStore(store)
}

/** Several balances on one page share one request. */
async function refresh(): Promise<void> {
  const now = Date.now()
  if (now - requestedAt < REFRESH_MS / 2) return
  requestedAt = now
  try {
    store.set((await call('GET /user/display-rates')).data)
  } catch {
    // Until the refresh a minute later, the last rates stay in use. Without rates, amounts stay in the base currency.
    requestedAt = Number.NEGATIVE_INFINITY
  }
}

export function rateOf(rates: DisplayRates | null, currency: DisplayCurrency): DisplayRate | null {
  return rates?.rates.find((rate) => rate.currency === currency) ?? null
}

/** Formats an amount at a rate with the decimals of its currency: "€92.17". Figures are the same in every language. */
export function convertedText(amount: number, { currency, rate }: Pick<DisplayRate, 'currency' | 'rate'>): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount * rate)
}
