import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayCsv } from '#test/support/day-csv.ts'
import { randomTerms } from '#test/verifier/published-texts.ts'
import { SYMBOL } from '#test/verifier/random-market.ts'
import { type RandomOrder, randomOrder } from '#test/verifier/random-order.ts'
import { checkFilesOf, signer } from '#test/verifier/signed-orders.ts'
import { checkReceiptFile } from './check-receipt-file.ts'
import { MATCHES } from './check-verdict.ts'

/** So many orders that the fixed seed produces orders of each kind. */
const ORDERS = 250
let folder: string
let keys: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-whole-days-'))
  keys = join(folder, 'keys.json')
  writeFileSync(keys, JSON.stringify({ data: { keys: [signer.published] } }))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes the whole log of an order as the file of one day, and returns its folder. */
function exportedLog({ log }: RandomOrder): string {
  const [first] = log
  const previous = { seq: (first?.first_seq ?? 1) - 1, hash: first?.previous_hash ?? '' }
  const days = join(folder, 'log')
  mkdirSync(days, { recursive: true })
  const payloads = log.map(({ payload }) => payload)
  writeFileSync(join(days, 'ticks-2026-03-18.csv'), dayCsv(payloads, { ...SYMBOL, previous }))
  return days
}

function fileOf(name: string, value: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(value))
  return file
}

/** How an order ended, as far as it decides which piece of the log a check needs. */
function kindOf({ accepted: { evidence }, result: { exit, next, late } }: RandomOrder): string {
  const end = exit === null ? 'void' : 'price'
  const isNextFirst = exit !== null && next !== null && next.q < exit.q
  return [evidence, end, ...(late === true ? ['late'] : []), ...(isNextFirst ? ['next price first'] : [])].join(', ')
}

it('P14: the command accepts each order that names its price sources, and each of its receipts, with the whole days of the tick log', async () => {
  const terms = randomTerms()
  const kinds = new Set<string>()
  for (let count = 0; count < ORDERS; count += 1) {
    const order = randomOrder(terms)
    if (order === null || order.sources.length === 0) continue
    const [file] = checkFilesOf([order])
    const log = ['--log', exportedLog(order)]
    const kind = kindOf(order)
    kinds.add(kind)
    expect(await checkReceiptFile([fileOf('order.json', file), ...log]), kind).toMatchObject({ exitCode: MATCHES })
    const receipt = file?.result ?? file?.accepted
    const alone = [fileOf('receipt.json', receipt), ...log, '--keys', keys]
    expect(await checkReceiptFile(alone), kind).toMatchObject({ exitCode: MATCHES })
  }
  expect([...kinds]).toEqual(
    expect.arrayContaining(['ids, price, late, next price first', 'computed, price, late, next price first']),
  )
})
