import { expect, it } from 'vitest'
import { readPhoneSearch } from '#core/accounts/phone-search.ts'

/** Whether a search finds a stored number, by the same rules as the query. */
function finds(search: string, [code, number]: readonly [string, string]): boolean {
  const phone = readPhoneSearch(search)
  if (phone === null) return false
  return (
    phone.starts.some((start) => (start.code === null || start.code === code) && number.startsWith(start.number)) ||
    phone.parts.some((part) => number.includes(part))
  )
}

it.each([
  ['06 20 123', ['+36', '201234567']],
  ['06 (20) 123-4567', ['+36', '201234567']],
  ['+36 20 123', ['+36', '201234567']],
  ['11 2345', ['+54', '91123456789']],
  ['011 15-2345-6789', ['+54', '91123456789']],
  ['8 916 123 45 67', ['+7', '9161234567']],
  ['89161', ['+7', '9161234567']],
  ['07911 123456', ['+44', '7911123456']],
  ['٠٧٧٠ ١٢٣', ['+964', '7701234567']],
  ['4567', ['+36', '201234567']],
] as const)('F65: %s finds %j', (search, stored) => {
  expect(finds(search, stored)).toBe(true)
})

it.each([
  ['+48 555 1234567', ['+49', '5551234567']],
  ['06 20 999', ['+36', '201234567']],
  ['123', ['+36', '201234567']],
  ['alice', ['+36', '201234567']],
] as const)('F65: %s does not find %j', (search, stored) => {
  expect(finds(search, stored)).toBe(false)
})
