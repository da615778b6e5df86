import { expect, it } from 'vitest'
import { shortDetails } from '#core/wallet/short-details.ts'

it.each([
  [{ 'Wallet address': 'TNVhH4hQ9wickXv2fairR7pLmN3sYtKe6Q', Memo: '12' }, 'TNVhH4…Ke6Q'],
  [{ 'Account holder': 'Ada Lovelace', Bank: 'First', IBAN: 'DE89 3704 0044 0532 0130 00' }, 'DE89 …3000'],
  [{ IBAN: 'DE00 1234' }, 'DE001234'],
  [{ 'Account email': 'ada@example.com', Name: 'Ada' }, 'ada@ex….com'],
  [{ Name: 'Ada' }, 'Ada'],
  [{}, ''],
])('shortDetails abbreviates %j to %s', (details, short) => {
  expect(shortDetails(details)).toBe(short)
})
