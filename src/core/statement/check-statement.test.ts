import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { utf8Bytes } from '#core/proof/bytes.ts'
import { checkStatement, type StatementFault } from '#core/statement/check-statement.ts'
import { readStatementFacts } from '#core/statement/statement-facts.ts'
import { readStatementFile, type StatementFile } from '#core/statement/statement-file.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import { jws, makeKey, order, OWN_KEY, ROWS, signed, STATEMENT_AT, SUMS } from '#test/support/signed-statement.ts'

const faultsOf = (file: StatementFile, keys = file.keys) => checkStatement(SERVER_TOOLS, file, keys).faults

it('checkStatement accepts a statement that adds up, and reads its rows', () => {
  const { faults, rows, facts, kid } = checkStatement(SERVER_TOOLS, signed(ROWS), [OWN_KEY.key])
  expect(faults).toEqual([])
  expect([facts?.sums, kid]).toEqual([SUMS, OWN_KEY.key.kid])
  expect(rows?.map(({ words }) => words)).toEqual([ROWS[0]?.words, '', '', '', '', "'=1+1"])
})

it('checkStatement accepts a statement without rows', () => {
  const none = {
    ...SUMS,
    deposits: money(0),
    withdrawals: money(0),
    charges: money(0),
    won: money(0),
    lost: money(0),
    corrections: money(0),
  }
  const file = signed([], {
    sums: { ...none, opening: money(7), closing: money(7) },
    first_result: null,
    last_result: null,
  })
  expect(faultsOf(file)).toEqual([])
})

describe('US2.4: a file that was changed after it was signed', () => {
  const file = signed(ROWS)
  const lines = file.rows.split('\r\n')
  const joined = (changed: readonly string[]): StatementFile => ({ ...file, rows: changed.join('\r\n') })
  const at = lines.findIndex((line) => line.startsWith('3,'))

  it.each([
    ['a dropped row', joined(lines.toSpliced(at, 1))],
    ['swapped rows', joined(lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? ''))],
    ['a doubled row', joined(lines.toSpliced(at, 0, lines[at] ?? ''))],
    ['a missing end', joined(lines.toSpliced(-2, 1))],
    ['a file that was cut off', { ...file, rows: file.rows.slice(0, -30) }],
  ])('the verdict about a file with changed rows: %s', (_, changed) => expect(faultsOf(changed)).toContain('rows'))

  it('the check finds a fault after a change of any character of the rows, the facts or the signature', () => {
    const part = fc.constantFrom('rows' as const, 'facts' as const, 'signature' as const)
    fc.assert(
      fc.property(part, fc.nat(), fc.integer({ min: 32, max: 126 }), (name, place, code) => {
        const text = file[name]
        const index = place % text.length
        const letter = String.fromCharCode(code)
        fc.pre(text[index] !== letter)
        const changed = { ...file, [name]: text.slice(0, index) + letter + text.slice(index + 1) }
        expect(faultsOf(changed)).not.toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  it.each<[string, StatementFile, StatementFault]>([
    [
      'the signature of another statement',
      { ...file, signature: signed(ROWS, { uid: '0000000000' }).signature },
      'signature',
    ],
    [
      'the signature of a receipt',
      { ...file, signature: jws(file.facts, OWN_KEY, 'fairwick-receipts') },
      'signature_form',
    ],
    ['a signature that is cut off', { ...file, signature: file.signature.slice(0, -9) }, 'signature_form'],
    [
      'another key under the same id',
      { ...file, signature: jws(file.facts, { ...makeKey(), key: OWN_KEY.key }) },
      'signature',
    ],
    ['a key that was never published', { ...file, signature: jws(file.facts, makeKey()) }, 'key_unknown'],
    ['a key of another time', { ...file, keys: [{ ...OWN_KEY.key, retired_ms: STATEMENT_AT }] }, 'key_retired'],
    ['facts with a space', { ...file, facts: file.facts.replace(':', ': ') }, 'form'],
    ['facts of a receipt', { ...file, facts: '{"v":1,"kind":"accepted"}' }, 'form'],
  ])('has its verdict: %s', (_, changed, fault) => expect(faultsOf(changed)).toContain(fault))
})

describe('US2.4: a file that an operator signed dishonestly', () => {
  const without = (n: number) => ROWS.filter((one) => one.n !== n).map((one, at) => ({ ...one, n: at + 1 }))
  it.each<[string, StatementFile, readonly StatementFault[]]>([
    ['a void order is left out', signed(without(4)), ['gap']],
    ['an order is left out', signed(without(3)), ['sum', 'gap']],
    // Only the next statement shows the missing order, because that statement begins with a later number.
    ['the last order is left out', signed(without(4), { last_result: 8 }), []],
    ['rows are not numbered one by one', signed(ROWS.map((one) => ({ ...one, n: one.n + 1 }))), ['rows']],
    ['the count is another one', signed(ROWS, { rows: 5 }), ['rows']],
    ['won is too low', signed(ROWS, { sums: { ...SUMS, won: money(824), lost: money(999) } }), ['sum']],
    [
      'the closing total is too low',
      signed(ROWS, { sums: { ...SUMS, closing: money(3_699), won: money(824) } }),
      ['sum'],
    ],
    [
      'a win pays less than its stake and payout',
      signed(
        ROWS.map((one) => (one.n === 2 ? { ...one, amount: money(824) } : one)).map((one) =>
          one.n >= 2 ? { ...one, balance: money(one.balance - 1n) } : one,
        ),
        { sums: { ...SUMS, won: money(824), closing: money(3_699) } },
      ),
      ['sum'],
    ],
    [
      'a result is there twice',
      signed(ROWS.map((one) => (one.n === 4 ? { ...one, order: order(8, 'x') } : one))),
      ['gap'],
    ],
  ])('%s', (_, file, faults) => expect(faultsOf(file)).toEqual(faults))
})

it('readStatementFacts reads back all facts that statementFactsText writes, and refuses every other text', () => {
  const amount = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).map(money)
  const sums = fc.record(
    Object.fromEntries(Object.keys(SUMS).map((name) => [name, amount])),
  ) as unknown as fc.Arbitrary<typeof SUMS>
  fc.assert(
    fc.property(sums, fc.constantFrom('UTC', 'Pacific/Marquesas'), (some, zone) => {
      const facts = readStatementFacts(signed(ROWS, { sums: some, zone }).facts)
      expect([facts?.sums, facts?.zone]).toEqual([some, zone])
    }),
  )
})

it.each(['', '{', '[]', '{"format":"fairwick-check","version":1}', '{"format":"fairwick-statement","version":2}'])(
  'readStatementFile reads no statement from %j',
  (text) => expect(readStatementFile(text)).toBeNull(),
)

it('utf8Bytes encodes any text as UTF-8 as other programs do', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect([...utf8Bytes(text)]).toEqual([...new TextEncoder().encode(text)])
    }),
  )
})
