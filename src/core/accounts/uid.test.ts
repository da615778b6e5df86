import fc from 'fast-check'
import { expect, it } from 'vitest'
import { uidEnds, uidOf } from '#core/accounts/uid.ts'

it('F65: uidEnds lists every ending that an account id with this UID can have', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(uidEnds(uidOf(id))).toContain(id.slice(-14))
    }),
  )
})

it('F65: uidEnds accepts spaces around a UID, lower case, and O, I and L for 0 and 1', () => {
  const id = '00000000-0000-4000-8000-000000000021'
  expect(uidOf(id)).toBe('0000000011')
  for (const typed of [' 0000000011 ', 'ooooooooil', 'OOOOOOOO1L']) expect(uidEnds(typed)).toContain(id.slice(-14))
  for (const typed of ['000000001', '00000000111', 'U000000011', '']) expect(uidEnds(typed)).toBeNull()
})
