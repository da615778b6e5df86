import { findUnproved } from '#testing/specification/prove.ts'
import { SPECIFICATION } from '#testing/specification/table.ts'
import { playwrightTests, vitestTests } from './lib/read-results.mjs'

/**
 * Compares the table of what the product has to do with what the tests just did: the reports of Vitest and Playwright.
 * Fails when a row has no test, or one that did not run and pass.
 */
const [unitReport = '', e2eReport = ''] = process.argv.slice(2)
const problems = findUnproved(SPECIFICATION, [...vitestTests(unitReport), ...playwrightTests(e2eReport)])
for (const problem of problems) process.stderr.write(`${problem}\n`)
for (const { title, rows } of SPECIFICATION) process.stdout.write(`${title}: ${rows.length} rows\n`)
const count = SPECIFICATION.reduce((sum, { rows }) => sum + rows.length, 0)
process.stdout.write(`${count} rows, ${problems.length === 0 ? 'each proved' : `${problems.length} problems`}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
