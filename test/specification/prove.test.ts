import { describe, expect, it } from 'vitest'
import { findUnproved } from '#test/specification/prove.ts'
import { idsOf, row } from '#test/specification/row.ts'

const RAN = [
  { file: 'a.test.ts', title: 'CA1: group > works', passed: true },
  { file: 'a.test.ts', title: 'group > CA2, F7: refuses 1', passed: true },
  { file: 'b.test.ts', title: 'CA3: works', passed: true },
  { file: 'b.test.ts', title: 'CA3: refuses', passed: false },
]
const problems = (id: string) => findUnproved([{ title: 'Calls', rows: [row(id, 'GET /x', 'x')] }], RAN)

describe('findUnproved', () => {
  it.each(['CA1', 'CA2', 'F7'])('findUnproved accepts %s, which a passed test or its group names', (id) => {
    expect(problems(id)).toEqual([])
  })

  it.each([
    ['CA4', 'Calls: CA4 GET /x: no test that ran begins with "CA4: "'],
    ['CA', 'Calls: CA GET /x: no test that ran begins with "CA: "'],
    ['CA3', 'Calls: CA3 GET /x: the test "CA3: refuses" in b.test.ts did not pass'],
  ])('findUnproved reports %s', (id, expected) => {
    expect(problems(id)).toEqual([expected])
  })
})

describe('idsOf', () => {
  it.each([
    ['SC4: shows', ['SC4']],
    ['SC4, F38: shows', ['SC4', 'F38']],
    ['shows SC4: the card', []],
    ['SC4 shows', []],
  ])('idsOf reads the ids of "%s"', (title, ids) => expect(idsOf(title)).toEqual(ids))
})
