import { expect, it } from 'vitest'
import { ATTACKS } from '#testing/attacks/table.ts'

/** Restoring an old backup is practised by hand: see `docs/operating.md`. */
const WITHOUT_TEST = ['50']

it('has all fifty attacks, in order', () => {
  const listed = ATTACKS.rows.map(({ about }) => about)
  expect([...listed, ...WITHOUT_TEST]).toEqual(Array.from({ length: 50 }, (_, place) => String(place + 1)))
})
