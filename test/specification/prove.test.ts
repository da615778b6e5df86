import { expect, it } from 'vitest'
import { findUnproved } from '#test/specification/prove.ts'
import { type Proof, row } from '#test/specification/row.ts'

const RAN = [
  { file: 'a.test.ts', title: 'group > works', passed: true },
  { file: 'a.test.ts', title: 'refuses 1', passed: true },
  { file: 'a.test.ts', title: 'refuses 2', passed: false },
]
const problems = (...proofs: Proof[]) => findUnproved([{ title: 'Calls', rows: [row('GET /x', 'x', ...proofs)] }], RAN)

it('accepts a test that ran and passed, by its title or the beginning of it', () => {
  expect(problems({ file: 'a.test.ts', title: 'group > works' })).toEqual([])
  expect(problems({ file: 'a.test.ts', title: 'group' })).toEqual([])
})

it.each([
  ['a row without a test', [], ['Calls: GET /x has no test']],
  [
    'a test that is not there',
    [{ file: 'a.test.ts', title: 'works' }],
    ['Calls: GET /x: no test ran in a.test.ts that is called "works"'],
  ],
  [
    'a test of another file',
    [{ file: 'b.test.ts', title: 'group > works' }],
    ['Calls: GET /x: no test ran in b.test.ts that is called "group > works"'],
  ],
  [
    'one of several that failed',
    [{ file: 'a.test.ts', title: 'refuses' }],
    ['Calls: GET /x: the test "refuses" in a.test.ts did not pass'],
  ],
])('reports %s', (_, proofs, expected) => {
  expect(problems(...proofs)).toEqual(expected)
})
