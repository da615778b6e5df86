import type { MethodDetails } from '#core/wallet/method-details.ts'

/** Shorter than this a value is shown whole. */
const WHOLE = 14

/**
 * Enough of where a withdrawal goes to tell it from others at a glance: the value with the most digits, with its start
 * and end. Whoever pays reads all of it in the detail.
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

/** All of where a withdrawal goes, each value with its label: for files that a payment is made from. */
export function wholeDetails(details: MethodDetails): string {
  return Object.entries(details)
    .map(([label, value]) => `${label}: ${value}`)
    .join('; ')
}

function digitsIn(text: string): number {
  return text.match(/\d/g)?.length ?? 0
}
