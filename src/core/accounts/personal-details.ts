import { normaliseLine } from '#core/text/normalise-text.ts'

/** Maximum length of each personal detail, in code points. */
export const MAX_DETAIL_LENGTH = {
  firstname: 60,
  lastname: 60,
  address: 200,
  city: 100,
  state: 100,
  zip: 20,
} as const

export type Detail = keyof typeof MAX_DETAIL_LENGTH
export const DETAILS = Object.keys(MAX_DETAIL_LENGTH) as readonly Detail[]

/** Whether a detail exceeds its maximum length after normalisation for storage. */
export function isDetailTooLong(detail: Detail, text: string): boolean {
  return Array.from(normaliseLine(text)).length > MAX_DETAIL_LENGTH[detail]
}
