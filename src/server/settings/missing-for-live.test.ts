import { expect, test } from 'vitest'
import { missingForLive } from '#server/settings/missing-for-live.ts'

const LICENCE = { holder: 'Harbour Ltd', number: 'X-1', regulator: 'The regulator' }

test('a live start is allowed with a licence and countries', () => {
  expect(missingForLive({ licence: LICENCE, countriesAllowed: ['PT'] })).toEqual([])
})

test('the list contains all missing settings together', () => {
  const missing = missingForLive({ licence: { holder: '', number: '', regulator: '' }, countriesAllowed: [] })
  expect(missing.map((line) => /settings set (\w+) /.exec(line)?.[1])).toEqual([
    'licence_holder',
    'licence_number',
    'licence_regulator',
    'countries_allowed',
  ])
})

test('the list does not contain settings that are set', () => {
  expect(missingForLive({ licence: LICENCE, countriesAllowed: [] })).toEqual([
    expect.stringContaining('countries_allowed'),
  ])
})
