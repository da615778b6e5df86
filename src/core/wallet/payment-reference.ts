import { type Result, ok, refuse } from '#core/result.ts'
import type { MethodField } from '#core/wallet/form-definition.ts'
import { isNetwork, type Network } from '#core/wallet/destinations/destination.ts'

export type ReferenceRefusal = 'reference_needed' | 'reference_form'

/** 140 characters: the longest reference of a payment that banks use. */
export const MAX_REFERENCE_LETTERS = 140
const HASH = /^[0-9a-f]{64}$/
const FORMS: Readonly<Partial<Record<Network, RegExp>>> = {
  bitcoin: HASH,
  litecoin: HASH,
  tron: HASH,
  evm: /^0x[0-9a-f]{64}$/,
}

/**
 * Parses the reference of a payment to its canonical form, so that equal references are recognised. On a coin's network
 * the reference is the hash of the transaction, elsewhere any printable text.
 */
export function readReference(network: Network | null, typed: string): Result<string, ReferenceRefusal> {
  const text = typed.normalize('NFC').trim().replace(/\s+/g, ' ')
  if (text === '') return refuse('reference_needed')
  const form = network === null ? undefined : FORMS[network]
  if (form !== undefined) {
    const hash = text.toLowerCase()
    return form.test(hash) ? ok(hash) : refuse('reference_form')
  }
  const isPrintable = !/[\p{C}\p{Zl}\p{Zp}]/u.test(text)
  return isPrintable && Array.from(text).length <= MAX_REFERENCE_LETTERS ? ok(text) : refuse('reference_form')
}

/** The network of a method's destination, null for a method without one. */
export function networkOf(form: readonly MethodField[]): Network | null {
  const network = form.find(({ type }) => type === 'destination')?.network
  return isNetwork(network) ? network : null
}
