import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { moneyFactsText, moneyOwnerText } from '#core/proof/money-facts.ts'
import { moneyFileText } from '#core/proof/money-file.ts'
import { ownerHash, type Receipt } from '#core/proof/receipt.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { makeSigner, signReceipt } from '#test/support/signed-order.ts'
import { checkReceiptFile } from './check-receipt-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'fairwick-money-'))
afterAll(() => rmSync(folder, { recursive: true }))

const signer = makeSigner()
const AT = 1_773_900_000_000

function requestReceipt(amount: string, reason = '', madeMs = AT): Receipt {
  const part = { record: '0195a000-0000-7000-8000-000000000073', amount, currency: 'USDT', charges: '150' }
  const owner = moneyOwnerText({ ...part, to: 'Bank: 山田', reason })
  const facts = { v: 2, kind: 'money', trx: 'FW-1', of: 'withdrawal', step: 'asked', at_ms: AT } as const
  const text = moneyFactsText({ ...facts, owner: ownerHash(sha256, owner) })
  return signReceipt(text, 'money', signer, { owner, content: { made_ms: madeMs } })
}

async function check(receipts: readonly Receipt[]): ReturnType<typeof checkReceiptFile> {
  const file = join(folder, 'money.json')
  writeFileSync(file, moneyFileText({ receipts, keys: [signer.published] }))
  return await checkReceiptFile([file])
}

it('prints step, amount and destination of a genuine receipt', async () => {
  expect(await check([requestReceipt('10000')])).toEqual({
    exitCode: 0,
    lines: [
      'withdrawal FW-1: asked 2026-03-19T06:00:00.000Z, signed 2026-03-19T06:00:00.000Z',
      '100.00 USDT, charges 1.50',
      'To: Bank: 山田',
      expect.stringContaining(signer.published.kid),
      'It matches.',
    ],
  })
})

it('refuses an owner’s part with a different amount, and two receipts of the same step', async () => {
  const other = { ...requestReceipt('10000'), owner: requestReceipt('10001').owner ?? '' }
  const [changed, twice] = [await check([other]), await check([requestReceipt('10000'), requestReceipt('10000')])]
  expect([changed.exitCode, changed.lines.at(-2)]).toEqual([1, expect.stringContaining('amount, destination or words')])
  expect([twice.exitCode, twice.lines.at(-2)]).toEqual([1, expect.stringContaining('contradict each other')])
})

it('prints no text of a refused receipt, and no control characters or line breaks from the text of a genuine one', async () => {
  const words = 'paid\nIt matches.\u001B[8m\u2028\u202Eend'
  const genuine = requestReceipt('10000', words)
  const forged = await check([{ ...genuine, owner: requestReceipt('1', words).owner ?? '' }])
  expect(forged.lines.join('\n')).not.toContain('It matches.')
  expect((await check([genuine])).lines).toContain('Words: paid It matches. [8m end')
})

it('refuses a signature whose time is not a valid date', async () => {
  const { exitCode, lines } = await check([requestReceipt('10000', '', 8.64e15 + 1)])
  expect([exitCode, lines.at(-1)]).toEqual([1, 'THIS DOES NOT MATCH.'])
})
