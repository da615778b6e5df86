import { expect, it } from 'vitest'
import { displayRates, type IndicativeRates } from '#core/wallet/display-rates.ts'

const rateOf = (pairs: Record<string, number>, set: IndicativeRates, currency: string) =>
  displayRates((pair) => pairs[pair] ?? null, set).find((rate) => rate.currency === currency)

it('displayRates counts the base currency as one dollar', () => {
  expect(rateOf({}, {}, 'USD')).toEqual({ currency: 'USD', rate: 1, source: 'indicative' })
})

it('displayRates uses direct and inverse pairs traded here', () => {
  expect(rateOf({ USDJPY: 151.5 }, {}, 'JPY')).toEqual({ currency: 'JPY', rate: 151.5, source: 'market' })
  expect(rateOf({ EURUSD: 1.25 }, {}, 'EUR')).toEqual({ currency: 'EUR', rate: 0.8, source: 'market' })
})

it('displayRates uses the indicative rate when no pair is traded', () => {
  expect(rateOf({}, { THB: 34.5 }, 'THB')).toEqual({ currency: 'THB', rate: 34.5, source: 'indicative' })
  expect(rateOf({ EURUSD: 1.25 }, { EUR: 9 }, 'EUR')?.rate).toBe(0.8)
})

it('displayRates leaves out a currency without any rate', () => {
  expect(rateOf({}, { IQD: 0 }, 'IQD')).toBeUndefined()
  expect(displayRates(() => null, {})).toHaveLength(1)
})
