import { expect, it } from 'vitest'
import type { Network } from '#core/wallet/destinations/destination.ts'
import { networkOf, readReference } from '#core/wallet/payment-reference.ts'

const HASH = 'Ab'.repeat(32)

it.each<[Network | null, string, string]>([
  [null, ' E2E  2026-03-18/7 ', 'E2E 2026-03-18/7'],
  [null, 'Überweisung 7', 'Überweisung 7'],
  ['iban', 'RF18539007547034', 'RF18539007547034'],
  [null, ' \n ', 'reference_needed'],
  [null, 'a'.repeat(140), 'a'.repeat(140)],
  [null, 'a'.repeat(141), 'reference_form'],
  [null, 'a\u202Eb', 'reference_form'],
  ['bitcoin', HASH, HASH.toLowerCase()],
  ['litecoin', HASH, HASH.toLowerCase()],
  ['tron', HASH, HASH.toLowerCase()],
  ['tron', `0x${HASH}`, 'reference_form'],
  ['evm', `0x${HASH}`, `0x${HASH.toLowerCase()}`],
  ['evm', HASH, 'reference_form'],
  ['bitcoin', `${HASH}0`, 'reference_form'],
])('on %s the reference %j is read as %s', (network, typed, expected) => {
  const read = readReference(network, typed)
  expect(read.ok ? read.value : read.refusal).toBe(expected)
})

it('the network of a method is the network of its destination', () => {
  const field = { name: 'a', label: 'A', is_required: true }
  expect(networkOf([{ ...field, type: 'text' }])).toBeNull()
  expect(networkOf([{ ...field, type: 'destination', network: 'evm' }])).toBe('evm')
})
