import { readFileSync } from 'node:fs'
import { moneyText } from '#core/money/money.ts'
import { readKeys } from '#core/proof/bundle-file.ts'
import { checkStatement, type StatementFault } from '#core/statement/check-statement.ts'
import type { StatementFacts } from '#core/statement/statement-facts.ts'
import { readStatementFile } from '#core/statement/statement-file.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { CannotCheck, type Checked, COULD_NOT_CHECK, DIFFERS, faultText, MATCHES } from './check-verdict.ts'
import { readJsonFile } from './read-json-file.ts'
import { readOptions } from './read-options.ts'

const USAGE = 'Usage: npm run check:statement -- FILE [--keys FILE]'

const OWN_FAULTS = {
  form: 'The facts are not written as those of a statement have to be.',
  rows: 'The rows are not those that were signed, or are not numbered one by one.',
  sum: 'The rows do not lead from the opening to the closing total, or do not make the sums.',
  gap: 'A result between the first and the last one is missing, or is there twice.',
} as const

/** Checks a signed statement. Returns the exit code and the lines to print. */
export function checkStatementFile(args: readonly string[]): Checked {
  try {
    return check(args)
  } catch (error) {
    return { exitCode: COULD_NOT_CHECK, lines: [error instanceof Error ? error.message : String(error)] }
  }
}

function check(args: readonly string[]): Checked {
  const { file, options } = readOptions(args, ['keys'], USAGE)
  const content = readStatementFile(readFileSync(file, 'utf8'))
  if (content === null) throw new CannotCheck(`${file} does not hold a whole signed statement.`)
  const keys = options.keys === undefined ? content.keys : readKeys(readJsonFile(options.keys))
  if (keys === null) throw new CannotCheck(`${options.keys} does not hold the keys as they are published.`)
  const { facts, faults, kid } = checkStatement(SERVER_TOOLS, content, keys)
  const about = facts === null ? [] : [...describe(facts)]
  if (faults.length > 0) {
    const texts = faults.map((fault) => `${fault}: ${textOf(fault)}`)
    return { exitCode: DIFFERS, lines: [...about, ...texts, 'THIS DOES NOT MATCH.'] }
  }
  const compare =
    options.keys === undefined ? [`Compare the key with the published ones, its id is computed here: ${kid ?? ''}`] : []
  return { exitCode: MATCHES, lines: [...about, ...compare, 'It matches.'] }
}

function textOf(fault: StatementFault): string {
  return fault in OWN_FAULTS
    ? OWN_FAULTS[fault as keyof typeof OWN_FAULTS]
    : faultText(fault as Exclude<StatementFault, keyof typeof OWN_FAULTS>, null)
}

function* describe(facts: StatementFacts): Generator<string> {
  const at = (ms: number): string => toIso(instant(ms))
  const { uid, zone, from_ms, to_ms, sums, currency, rows } = facts
  yield `Statement of account ${uid}, ${at(from_ms)} to ${at(to_ms)} (${zone}), ${rows} rows`
  yield `Opening ${moneyText(sums.opening)} ${currency}, closing ${moneyText(sums.closing)} ${currency}`
}
