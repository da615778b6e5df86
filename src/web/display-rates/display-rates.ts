import { useEffect } from 'react'
import type { DisplayCurrency } from '#core/wallet/display-rates.ts'
import { call, type Reply } from '#web/api/call.ts'
import { createStore, useStore } from '#ui/state/store.ts'

export type DisplayRates = Reply<'GET /user/display-rates'>
export type DisplayRate = DisplayRates['rates'][number]

const REFRESH_MS = 60_000

const store = createStore<DisplayRates | null>(null)
let askedAt = Number.NEGATIVE_INFINITY

/** The rates that amounts are also shown at, asked for once a minute while `wanted`; null until they have come. */
export function useDisplayRates({ wanted }: { wanted: boolean }): DisplayRates | null {
  useEffect(() => {
    if (!wanted) return undefined
    void refresh()
    const timer = setInterval(() => void refresh(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [wanted])
  return useStore(store)
}

/** Several balances of one page share one question. */
async function refresh(): Promise<void> {
  const now = Date.now()
  if (now - askedAt < REFRESH_MS / 2) return
  askedAt = now
  try {
    store.set((await call('GET /user/display-rates')).data)
  } catch {
    // Amounts stand in the base currency as ever; the next minute asks again.
    askedAt = Number.NEGATIVE_INFINITY
  }
}

export function rateOf(rates: DisplayRates | null, currency: DisplayCurrency): DisplayRate | null {
  return rates?.rates.find((rate) => rate.currency === currency) ?? null
}

/** "€92.17": an amount at a rate, in its currency's own decimals. Figures read the same in every language. */
export function convertedText(amount: number, { currency, rate }: Pick<DisplayRate, 'currency' | 'rate'>): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount * rate)
}
