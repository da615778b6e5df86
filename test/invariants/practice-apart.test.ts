import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ALL_ACCOUNTS_REASONS } from '#test/invariants/practice-apart-reasons.ts'

/** The tables with orders, balances and accounts of users. */
const TABLES = 'app_user|balance|open_order|order_history|transfer|sale_end|made_good|user_measure'
const READS = new RegExp(`(?:from|join|selectFrom|innerJoin|leftJoin)[ (']+(?:${TABLES})\\b`)
/** The statement names the kind of account, or the currency of money. */
const NAMES_KIND = /practice|OF_MONEY|BASE_CURRENCY/i
/** The statement reads rows of one user, one order or one reference. */
const OF_ONE = [
  /(?:user_id|[a-z]\.id|"id"|\bid) = \$\{[^}]*(?:[uU]serId|ownerId|accountId|orderId|\bid)\}/,
  /where\('(?:[a-z]+\.)?(?:user_id|id|trx|order_id)', '=',/,
  /where (?:user_id|id) = \$\{/,
]

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name !== 'migrations') yield* sourceFiles(path)
    } else if (entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts')) yield path
  }
}

/** Splits a file into its top-level declarations, each with its name. */
function declarationsOf(text: string): { readonly name: string; readonly text: string }[] {
  const starts = [...text.matchAll(/^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/gm)]
  return starts.map((match, at) => ({
    name: match[1] ?? '',
    text: text.slice(match.index, starts[at + 1]?.index ?? text.length),
  }))
}

function unnamed(): string[] {
  return [...sourceFiles('src/server')].flatMap((path) =>
    declarationsOf(readFileSync(path, 'utf8'))
      .filter(({ text }) => READS.test(text) && !NAMES_KIND.test(text) && !OF_ONE.some((one) => one.test(text)))
      .map(({ name }) => `${path.replace('src/server/', '')} ${name}`),
  )
}

it('each statement about several users names the kind of their accounts, or has a reason to count all', () => {
  expect(unnamed().toSorted()).toEqual(Object.keys(ALL_ACCOUNTS_REASONS).toSorted())
})

it('each reason is a sentence', () => {
  for (const reason of Object.values(ALL_ACCOUNTS_REASONS)) expect(reason).toMatch(/^[A-Z].{10,}\.$/)
})
