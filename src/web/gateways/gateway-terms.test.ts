import { expect, it } from 'vitest'
import { rateText } from '#web/gateways/gateway-terms.ts'

it.each([
  [0.000_038, '0.000038'],
  [0.000_72, '0.00072'],
  [1, '1.0000'],
  [1.08, '1.0800'],
  [67_284.1, '67,284.1000'],
])('F43: a rate of %j is shown as %s, by which amounts are converted', (rate, text) => {
  const terms = {
    currency: 'VND',
    min_amount: 1,
    max_amount: 2,
    fixed_charge: 0,
    percent_charge: 0,
    wallet_address: '',
  }
  expect(rateText({ single_currency: { ...terms, rate } })).toBe(text)
})
