import { expect, it } from 'vitest'
import { isCanonicalUuid, isUuid } from '#core/ids/uuid.ts'

const ID = '0190a1b2-c3d4-7e5f-8a6b-0123456789ab'

it('isUuid accepts a UUID in either letter case, isCanonicalUuid only in lower case', () => {
  expect([isUuid(ID), isUuid(ID.toUpperCase()), isCanonicalUuid(ID), isCanonicalUuid(ID.toUpperCase())]).toEqual([
    true,
    true,
    true,
    false,
  ])
})

it.each(['', 'x', ID.slice(1), `${ID}0`, `${ID}\n`, ` ${ID}`, ID.replaceAll('-', ''), ID.replace('a', 'g')])(
  'refuses %j',
  (text) => {
    expect(isUuid(text)).toBe(false)
    expect(isCanonicalUuid(text)).toBe(false)
  },
)
