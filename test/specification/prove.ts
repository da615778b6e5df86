import { type Chapter, idsOf } from '#test/specification/row.ts'

/** A test that ran. The title includes its groups, with ` > ` between them. */
export interface RanTest {
  readonly file: string
  readonly title: string
  readonly passed: boolean
}

/** Lists the requirements that no test names, and the tests of requirements that did not pass. */
export function findUnproved(chapters: readonly Chapter[], ran: readonly RanTest[]): string[] {
  const named = ran.map((test) => ({ ...test, ids: test.title.split(' > ').flatMap(idsOf) }))
  return chapters.flatMap(({ title, rows }) =>
    rows.flatMap(({ id, about }) => {
      const name = `${title}: ${id} ${about}`
      const tests = named.filter(({ ids }) => ids.includes(id))
      if (tests.length === 0) return [`${name}: no test that ran begins with "${id}: "`]
      return tests
        .filter(({ passed }) => !passed)
        .map((test) => `${name}: the test "${test.title}" in ${test.file} did not pass`)
    }),
  )
}
