import { ATTACKS } from '#test/security/table.ts'
import { findUnproved } from '#test/specification/prove.ts'
import { SPECIFICATION } from '#test/specification/table.ts'
import { playwrightTests, vitestTests } from './lib/read-results.mjs'

/**
 * Compares the tables of the specification and of attacks with the reports of the latest Vitest and Playwright runs.
 * Fails when a row has no test, or when one of its tests did not run and pass.
 */
const [unitReport = '', e2eReport = ''] = process.argv.slice(2)
const chapters = [...SPECIFICATION, ATTACKS]
const problems = findUnproved(chapters, [...vitestTests(unitReport), ...playwrightTests(e2eReport)])
for (const problem of problems) process.stderr.write(`${problem}\n`)
for (const { title, rows } of chapters) process.stdout.write(`${title}: ${rows.length} rows\n`)
const count = chapters.reduce((sum, { rows }) => sum + rows.length, 0)
process.stdout.write(`${count} rows, ${problems.length === 0 ? 'each proved' : `${problems.length} problems`}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
