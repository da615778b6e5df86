import type { Chapter, Proof } from '#test/specification/row.ts'

/** A test that ran. */
export interface RanTest {
  readonly file: string
  readonly title: string
  readonly passed: boolean
}

/** Lists the problems of the table: rows without a test, and tests that do not exist or did not pass. */
export function findUnproved(chapters: readonly Chapter[], ran: readonly RanTest[]): string[] {
  return chapters.flatMap(({ title, rows }) =>
    rows.flatMap((row) => {
      const name = `${title}: ${row.about}`
      if (row.proofs.length === 0) return [`${name} has no test`]
      return row.proofs.flatMap((proof) => whatIsWrongWith(proof, ran).map((problem) => `${name}: ${problem}`))
    }),
  )
}

function whatIsWrongWith({ file, title }: Proof, ran: readonly RanTest[]): string[] {
  const named = ran.filter((test) => test.file === file && test.title.startsWith(title))
  if (named.length === 0) return [`no test ran in ${file} that is called "${title}"`]
  return named.some((test) => !test.passed) ? [`the test "${title}" in ${file} did not pass`] : []
}
