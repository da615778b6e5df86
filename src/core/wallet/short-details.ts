import type { MethodDetails } from '#core/wallet/method-details.ts'

/** 14: values up to this length are shown whole. */
const WHOLE = 14

/**
 * Abbreviates withdrawal details, but leaves enough to distinguish them in a list: the start and end of the value with
 * the most digits. The detail view shows all values to the staff member who pays.
 */
export function shortDetails(details: MethodDetails): string {
  let best = ''
  for (const value of Object.values(details)) if (digitsIn(value) > digitsIn(best) || best === '') best = value
  const isGrouped = best.trim().includes(' ')
  const letters = Array.from(best.replace(/\s+/g, isGrouped && digitsIn(best) > 0 ? '' : ' ').trim())
  if (letters.length <= WHOLE) return letters.join('')
  const start = letters.slice(0, isGrouped ? 4 : 6).join('')
  return `${start}${isGrouped ? ' ' : ''}…${letters.slice(-4).join('')}`
}

/** Formats all withdrawal details as `label: value`, for the export files that payments are made from. */
export function wholeDetails(details: MethodDetails): string {
  return Object.entries(details)
    .map(([label, value]) => `${label}: ${value}`)
    .join('; ')
}

function digitsIn(text: string): number {
  return text.match(/\d/g)?.length ?? 0
}
