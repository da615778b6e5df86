import { expect, it } from 'vitest'
import { areAddressesJudged, type CountryRules, isPlaceRefused } from '#core/accounts/country-rules.ts'

const RULES: CountryRules = {
  unknown_address: 'allow',
  rules: [{ country: 'US', sign_up: 'allow', deposit: 'refuse', trade: 'refuse', note: '' }],
}

it.each([
  [{ declared: 'US', address: 'DE' }, true],
  [{ declared: 'DE', address: 'US' }, true],
  [{ declared: 'US', address: null }, true],
  [{ declared: 'DE', address: 'PT' }, false],
  [{ declared: null, address: null }, false],
])('OD11.1: isPlaceRefused judges the declared country and the country of the address: %j', (place, isRefused) => {
  expect(isPlaceRefused(RULES, 'trade', place)).toBe(isRefused)
  expect(isPlaceRefused(RULES, 'sign_up', place), 'each action has its own verdict').toBe(false)
})

it('OD11.1: isPlaceRefused refuses an address without a known country only when the rules refuse such addresses', () => {
  const strict: CountryRules = { unknown_address: 'refuse', rules: [] }
  expect(isPlaceRefused(strict, 'sign_up', { declared: 'DE', address: null })).toBe(true)
  expect(isPlaceRefused(strict, 'sign_up', { declared: 'DE', address: 'DE' })).toBe(false)
  expect([areAddressesJudged(strict), areAddressesJudged({ unknown_address: 'allow', rules: [] })]).toEqual([
    true,
    false,
  ])
})
