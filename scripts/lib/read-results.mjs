import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from './process/root.mjs'

/** Reads `{ passed, failed }` from Vitest's JSON report. A file that could not be loaded counts as one failure. */
export function readVitestResults(file) {
  const report = readReport(file)
  if (!report) return undefined
  const broken = report.testResults.filter(
    (tested) => tested.status === 'failed' && !tested.assertionResults.some((test) => test.status === 'failed'),
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
}

/** Reads `{ passed, failed, flaky }` from Playwright's JSON report. `flaky` names tests that passed only on a retry. */
export function readPlaywrightResults(file) {
  const report = readReport(file)
  if (!report) return undefined
  const { expected, unexpected, flaky } = report.stats
  const shaky = report.suites.flatMap((suite) => specsIn(suite, [])).filter((test) => test.isFlaky)
  return {
    passed: expected + flaky,
    failed: unexpected + report.errors.length,
    flaky: shaky.map(({ file: path, title }) => `${path} › ${title}`),
  }
}

/**
 * Reads `{ file, title, passed }` of each test from Vitest's report. The title includes its groups. If a test is
 * skipped on one database and runs on the other, its run counts.
 */
export function vitestTests(file) {
  const tested = readReport(file)?.testResults ?? []
  const tests = tested.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      file: relative(ROOT, name),
      title: [...ancestorTitles.filter(Boolean), title].join(' > '),
      status,
    })),
  )
  const keyOf = ({ file: path, title }) => `${path} > ${title}`
  const ran = new Set(tests.filter(({ status }) => status !== 'skipped').map(keyOf))
  return tests
    .filter((test) => test.status !== 'skipped' || !ran.has(keyOf(test)))
    .map(({ status, ...test }) => ({ ...test, passed: status === 'passed' }))
}

/**
 * Reads `{ file, title, passed }` of each test from Playwright's report. A test on several screen sizes passed if it
 * passed on all sizes.
 */
export function playwrightTests(file) {
  return (readReport(file)?.suites ?? [])
    .flatMap((suite) => specsIn(suite, []))
    .map(({ file: path, title, passed }) => ({ file: path, title, passed }))
}

function specsIn({ file, specs = [], suites = [] }, groups) {
  const own = specs.map(({ title, tests }) => ({
    file: `e2e/${file}`,
    title: [...groups, title].join(' > '),
    passed: tests.length > 0 && tests.every(({ status }) => status === 'expected' || status === 'flaky'),
    isFlaky: tests.some(({ status }) => status === 'flaky'),
  }))
  return [...own, ...suites.flatMap((suite) => specsIn(suite, [...groups, suite.title]))]
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The runner ended before it wrote its report. Its exit code shows the failure.
    return undefined
  }
}
