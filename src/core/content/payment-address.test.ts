import { describe, expect, it } from 'vitest'
import { findPaymentAddress } from '#core/content/payment-address.ts'

describe('a payment address', () => {
  it.each([
    ['0x52908400098527886E0F7030069857D2E4169EE7'],
    ['0x5290 8400 0985 2788 6E0F 7030 0698 57D2 E416 9EE7'],
    ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
    ['T\u200BJRabPrwbZy45**sbavfcjinPJC18kjpRTv8**'],
    ['DE89 3704 0044 0532 0130 00'],
    ['gb29nwbk60161331926819'],
    ['4111 1111 1111 1111'],
    ['５５５５-５５５５-５５５５-４４４４'],
  ])('a payment address is found: %s', (address) => {
    expect(findPaymentAddress(`Send to ${address} today.`)).not.toBeNull()
  })

  it.each([
    ['Orders are open 24 hours. Write to help@example.org or call +44 7700 900142.'],
    ['Since 2026-11-21T10:00:00Z, version 1795000000000, reference FW-0TXWD-7Q4M2-9A3BK.'],
    ['/uploads/018f3c2e-7a51-7c3b-9d2e-5b8f0a1c2d3e.png'],
    ['Donaudampfschifffahrtsgesellschaftskapitän'],
    ['4111 1111 1111 1112'],
    ['DE89 3704 0044 0532 0130 02'],
  ])('no payment address is found: %s', (text) => {
    expect(findPaymentAddress(text)).toBeNull()
  })
})
