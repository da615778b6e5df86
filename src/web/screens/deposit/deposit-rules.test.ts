import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { GatewayOut } from '#contract/deposits.ts'
import { feeText } from '#web/gateways/gateway-terms.ts'
import { depositErrors, quickAmounts, quoteOf, receivedText } from '#web/screens/deposit/deposit-rules.ts'

function gateway(terms: Partial<GatewayOut['single_currency']> = {}): GatewayOut {
  return {
    id: 1,
    version: 1,
    name: 'USDT, TRC-20',
    image: '',
    is_automatic: false,
    is_live_rate: false,
    address_history: null,
    single_currency: {
      currency: 'USDT',
      min_amount: 20,
      max_amount: 5000,
      fixed_charge: 1,
      percent_charge: 1,
      rate: 0.9998,
      wallet_address: '',
      ...terms,
    },
    form: { form_data: [{ name: 'ref', label: 'Reference', type: 'text', is_required: true }] },
    description: '',
  }
}

describe('the amount', () => {
  it.each([
    ['', 'Amount is Required'],
    ['.', 'Amount is Required'],
    ['19.99', 'Minimum Amount is 20.00 USDT'],
    ['5000.01', 'Maximum Amount is 5,000.00 USDT'],
    ['20', undefined],
    ['0250.', undefined],
  ] as const)('VA14, TX5, TX6: %j has the error: %s', (amount, error) => {
    expect(depositErrors(gateway(), { amount })['amount']).toBe(error)
  })

  it('VA14: the form requires the fields that are marked as required', () => {
    expect(depositErrors(gateway(), { amount: '20' })['fields[Reference]']).toBe('Reference is Required')
    expect(depositErrors(gateway(), { amount: '20', 'fields[Reference]': 'x' })['fields[Reference]']).toBeUndefined()
  })
})

describe('the summary', () => {
  it('the summary charges the fee once, on the paid amount', () => {
    const quote = quoteOf(gateway(), '250')
    expect(quote?.total).toBe(25_350n)
    expect(quote && receivedText(quote)).toBe('249.9500')
  })

  it.each([
    [{}, '1% + 1.00'],
    [{ fixed_charge: 0 }, '1%'],
    [{ percent_charge: 0 }, '1.00'],
    [{ percent_charge: 0, fixed_charge: 0 }, 'no fee'],
  ] as const)('the fee of %j is %s', (terms, text) => {
    expect(feeText(gateway(terms))).toBe(text)
  })

  test('the summary shows the credited amount, which is rounded down to the cent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_000, max: 500_000 }), fc.integer({ min: 1, max: 5_000_000 }), (cents, rate) => {
        const quote = quoteOf(gateway({ rate: rate / 1_000_000 }), (cents / 100).toFixed(2))
        if (quote === null) return
        const tenThousandths = BigInt(receivedText(quote).replaceAll(/[,.]/g, ''))
        expect(tenThousandths / 100n).toBe(quote.credited)
      }),
    )
  })

  it('the form offers quick amounts within the limits', () => {
    expect(quickAmounts(gateway())).toEqual([100, 500, 1_000, 5_000])
    expect(quickAmounts(gateway({ min_amount: 60_000, max_amount: 70_000 }))).toEqual([])
  })
})
