import { describe, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import type { MethodField } from '#core/wallet/form-definition.ts'
import { paymentFileCsv } from '#server/payments/payment-files/payment-file-csv.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

/** Names in thirty scripts. */
const NAMES = [
  'José Ñandú-Ørsted',
  'Ελένη Παππά',
  'Їжак Ґалаґан',
  'محمد الأحمد',
  'דוד כהן',
  'Անի Գրիգորյան',
  'ნინო ბერიძე',
  'राम शर्मा',
  'রহিমা খাতুন',
  'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ',
  'રમેશ પટેલ',
  'ଅଶୋକ ଦାସ',
  'முருகன்',
  'రాము',
  'ಮಂಜುನಾಥ',
  'അനില്‍ കുമാര്‍',
  'සුනිල්',
  'สมชาย ใจดี',
  'ສົມພອນ',
  'အောင်မြင့်',
  'សុខា',
  'བཀྲ་ཤིས',
  '王小明',
  'やまだ たろう',
  'ヤマダ',
  '김철수',
  'አበበ ቢቂላ',
  'ᠪᠠᠲᠤ',
  'ᏣᎳᎩ',
  'ⴰⵎⴰⵣⵉⵖ',
  '𞤀𞤣𞤤𞤢𞤥',
  'ܝܘܚܢܢ',
  'ދިވެހި',
  'ᐃᓄᒃᑎᑐᑦ',
] // prettier-ignore
const BANK: readonly MethodField[] = ['Account holder', 'Bank', 'IBAN'].map((label) => ({
  name: label,
  label,
  type: 'text',
  is_required: true,
}))

function withdrawal(place: number, details: Readonly<Record<string, string>>): Withdrawal {
  return {
    trx: `FW-${place}`,
    userId: `user ${place}`,
    details,
    currency: 'usd',
    paidOut: money(100_005 + place),
  } as Withdrawal
}

/** Parses CSV by the rules of RFC 4180. */
function read(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}
const write = (withdrawals: readonly Withdrawal[], names: ReadonlyMap<string, string> = new Map()) =>
  Buffer.from(paymentFileCsv(withdrawals, { form: BANK, names }))
    .toString()
    .replace(/^\uFEFF/, '')

describe('the CSV of a payment file', () => {
  it('can be parsed back into the same accounts and sums, with 200 names in thirty scripts', () => {
    const payees = Array.from({ length: 200 }, (_, place) => {
      const name = `${NAMES[place % NAMES.length]}${place < NAMES.length ? '' : `, "${place}"`}`
      return { name, one: withdrawal(place, { 'Account holder': name, Bank: 'First; Second', IBAN: `00${place}` }) }
    })
    expect(new Set(NAMES).size).toBeGreaterThanOrEqual(30)
    const names = new Map(payees.map(({ one: { userId }, name }) => [userId, name]))
    const [head, ...rows] = read(
      write(
        payees.map(({ one }) => one),
        names,
      ),
    )
    expect(head).toEqual(['trx', 'full_name', 'Account holder', 'Bank', 'IBAN', 'currency', 'amount', 'reference'])
    expect(rows).toEqual(
      payees.map(({ name }, place) => {
        const cents = String(100_005 + place)
        const amount = `${cents.slice(0, -2)}.${cents.slice(-2)}`
        return [`FW-${place}`, name, name, 'First; Second', `00${place}`, 'USD', amount, `Withdrawal FW-${place}`]
      }),
    )
  })

  it.each(['=1+1', '+1+1', '+44 7700', '-1+2', '@SUM(A1)', '＝1+1', ' =1+1'])(
    'has %j with a leading apostrophe, so that spreadsheets show text',
    (text) => {
      const [, row] = read(write([withdrawal(1, { 'Account holder': text })]))
      expect(row?.[2]).toBe(`'${text}`.trim())
    },
  )

  it.each(['+447700900123', '+1', '-1.50', '004477'])('has %j unchanged, because a number is no formula', (text) => {
    const [, row] = read(write([withdrawal(1, { 'Account holder': text })]))
    expect(row?.[2]).toBe(text)
  })

  it('the CSV contains international phone numbers without blanks, and other phone numbers unchanged', () => {
    const form = [{ name: 'phone', label: 'Phone', type: 'tel', is_required: true }] as const
    const phones = ['+44 7700 900-123', '030 1234', '+44 (0)20 7946']
    const given = phones.map((phone, place) => withdrawal(place, { Phone: phone }))
    const [, ...rows] = read(paymentFileCsv(given, { form, names: new Map() }).slice(1))
    expect(rows.map((row) => row[2])).toEqual(['+447700900123', '030 1234', "'+44 (0)20 7946"])
  })

  it('the CSV has a separate column for each field that only an earlier form of the method had', () => {
    const [head, ...rows] = read(write([withdrawal(1, { IBAN: 'A' }), withdrawal(2, { 'Sort code': '04-00' })]))
    expect(head).toEqual([
      'trx',
      'full_name',
      'Account holder',
      'Bank',
      'IBAN',
      'Sort code',
      'currency',
      'amount',
      'reference',
    ])
    expect(rows.map((row) => row.slice(2, 6))).toEqual([
      ['', '', 'A', ''],
      ['', '', '', '04-00'],
    ])
  })
})
