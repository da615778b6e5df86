import { readFileSync } from 'node:fs'

/** `{ passed, failed }` from Vitest's JSON report. A file that could not even be loaded counts as one failure. */
export function readVitestResults(file) {
  const report = readReport(file)
  if (!report) return undefined
  const broken = report.testResults.filter(
    (tested) => tested.status === 'failed' && !tested.assertionResults.some((test) => test.status === 'failed'),
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
}

/** `{ passed, failed }` from Playwright's JSON report. A test that only passed when tried again has failed. */
export function readPlaywrightResults(file) {
  const report = readReport(file)
  if (!report) return undefined
  const { expected, unexpected, flaky } = report.stats
  return { passed: expected, failed: unexpected + flaky + report.errors.length }
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The runner died before it wrote its report; its exit code has told.
    return undefined
  }
}
