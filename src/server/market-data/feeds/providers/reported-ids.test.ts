import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ReportedIds } from '#server/market-data/feeds/providers/reported-ids.ts'

it('P5: distinguishes repeated ids from late ones, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40 }), { maxLength: 60 }), (ids) => {
      const reported = new ReportedIds()
      const known = new Set<number>()
      let newest = -1
      for (const id of ids) {
        if (id > newest) {
          reported.addNewest(id, id === newest + 1 && newest >= 0)
          newest = id
        } else expect(reported.addLate(id)).toBe(known.has(id))
        known.add(id)
      }
    }),
    { numRuns: 300 },
  )
})

it('remembers a limited number of ranges, and treats older ids as repeated', () => {
  const reported = new ReportedIds()
  for (let id = 10; id <= 10_000; id += 10) reported.addNewest(id, false)
  expect([reported.addLate(15), reported.addLate(9_995), reported.addLate(9_990)]).toEqual([true, false, true])
  reported.clear()
  reported.addNewest(5, false)
  expect(reported.addLate(4)).toBe(false)
})
