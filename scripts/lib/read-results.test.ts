import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './process/root.mjs'
import { playwrightTests, readPlaywrightResults, vitestTests } from './read-results.mjs'

const folder = mkdtempSync(join(tmpdir(), 'fairwick-results-'))
const report = join(folder, 'e2e.json')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  const ran = (title: string, status: string) => ({ title, tests: [{ status }] })
  const inner = { title: 'at night', file: 'a.spec.ts', specs: [ran('now and then', 'flaky')] }
  const suite = {
    title: 'a.spec.ts',
    file: 'a.spec.ts',
    specs: [ran('always', 'expected'), ran('never', 'unexpected')],
  }
  const stats = { expected: 1, unexpected: 1, flaky: 1 }
  writeFileSync(report, JSON.stringify({ errors: [], stats, suites: [{ ...suite, suites: [inner] }] }))
})

test('a test that passed on a retry counts as passed and flaky', () => {
  expect(readPlaywrightResults(report)).toEqual({
    passed: 2,
    failed: 1,
    flaky: ['e2e/a.spec.ts › at night > now and then'],
  })
})

test('tests are listed with the names of their groups', () => {
  expect(playwrightTests(report)).toEqual([
    { file: 'e2e/a.spec.ts', title: 'always', passed: true },
    { file: 'e2e/a.spec.ts', title: 'never', passed: false },
    { file: 'e2e/a.spec.ts', title: 'at night > now and then', passed: true },
  ])
})

test('a test that is skipped on one database counts with its result on the other database', () => {
  const ran = (title: string, status: string) => ({ ancestorTitles: ['limits'], title, status })
  const reportOfUnits = join(folder, 'unit.json')
  const name = join(ROOT, 'a.test.ts')
  const testResults = [
    { name, assertionResults: [ran('race', 'passed'), ran('broken', 'failed'), ran('later', 'skipped')] },
    { name, assertionResults: [ran('race', 'skipped'), ran('broken', 'skipped')] },
  ]
  writeFileSync(reportOfUnits, JSON.stringify({ testResults }))
  expect(vitestTests(reportOfUnits)).toEqual([
    { file: 'a.test.ts', title: 'limits > race', passed: true },
    { file: 'a.test.ts', title: 'limits > broken', passed: false },
    { file: 'a.test.ts', title: 'limits > later', passed: false },
  ])
})

test('a missing report gives no result', () => {
  expect(readPlaywrightResults(join(folder, 'none.json'))).toBeUndefined()
})
