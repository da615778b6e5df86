import { expect, test } from 'vitest'
import { missingForLive } from '#server/settings/missing-for-live.ts'

const LICENCE = { holder: 'Harbour Ltd', number: 'X-1', regulator: 'The regulator' }

test('allows a live start with a licence and countries', () => {
  expect(missingForLive({ licence: LICENCE, countriesAllowed: ['PT'] })).toEqual([])
})

test('lists everything that is missing together', () => {
  const missing = missingForLive({ licence: { holder: '', number: '', regulator: '' }, countriesAllowed: [] })
  expect(missing.map((line) => /settings set (\w+) /.exec(line)?.[1])).toEqual([
    'licence_holder',
    'licence_number',
    'licence_regulator',
    'countries_allowed',
  ])
})

test('does not list what is set', () => {
  expect(missingForLive({ licence: LICENCE, countriesAllowed: [] })).toEqual([
    expect.stringContaining('countries_allowed'),
  ])
})
