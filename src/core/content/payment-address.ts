import { hasIbanChecksum, isIbanShaped } from '#core/wallet/destinations/iban.ts'

/** Invisible characters and markup that could divide an address without being seen. */
const UNSEEN = /[\p{Cf}*_`~]/gu
const EVM = /0x[0-9a-f]{40}/i
/** Bitcoin, Litecoin and similar addresses with a prefix. */
const BECH32 = /\b[a-z]{2,12}1[02-9ac-hj-np-z]{25,}\b/gi
const HEX = /\b[0-9a-f]{40,}\b/gi
const BASE58 = /[1-9A-HJ-NP-Za-km-z]{25,}/g
const IBAN = /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}/gi
/**
 * A card number: cards of the large networks begin with 2 to 6. A time in milliseconds begins with 1, so it is not
 * found.
 */
const CARD = /\b[2-6](?:[ -]?\d){12,18}\b/g
const MIN_IBAN = 15

/**
 * Finds a part of a text that looks like a wallet address, an IBAN or a card number. Returns null when there is none.
 */
export function findPaymentAddress(text: string): string | null {
  const seen = text.normalize('NFKC').replaceAll(UNSEEN, '')
  // Hexadecimal groups are also recognised with spaces between them.
  const evm = EVM.exec(seen.replaceAll(/[\s.-]/g, ''))
  if (evm) return evm[0]
  const found = [
    ...partsOf(seen, BECH32, hasDigit),
    ...partsOf(seen, HEX, hasDigit),
    ...partsOf(seen, BASE58, (part) => hasDigit(part) && /[a-z]/.test(part) && /[A-Z]/.test(part)),
    ...partsOf(seen, IBAN, startsWithIban),
    ...partsOf(seen, CARD, hasCardChecksum),
  ]
  return found[0] ?? null
}

function partsOf(text: string, pattern: RegExp, isAddress: (part: string) => boolean): string[] {
  return Array.from(text.matchAll(pattern), ([part]) => part).filter(isAddress)
}

function hasDigit(text: string): boolean {
  return /\d/.test(text)
}

/** Words after an IBAN may look like a part of it, so the function tries every length of the number. */
function startsWithIban(part: string): boolean {
  const compact = part.replaceAll(/[ -]/g, '').toUpperCase()
  for (let end = MIN_IBAN; end <= compact.length; end += 1) {
    const iban = compact.slice(0, end)
    if (isIbanShaped(iban) && hasIbanChecksum(iban)) return true
  }
  return false
}

/** Whether the check digit of a card number is correct (Luhn). */
function hasCardChecksum(part: string): boolean {
  const digits = part.replaceAll(/\D/g, '')
  let sum = 0
  for (const [at, digit] of digits.split('').toReversed().entries()) {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
