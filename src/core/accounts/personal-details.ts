import { keptLine } from '#core/text/kept-text.ts'

/** Maximum length of each personal detail, in code points. */
export const LONGEST_DETAIL = {
  firstname: 60,
  lastname: 60,
  address: 200,
  city: 100,
  state: 100,
  zip: 20,
} as const

export type Detail = keyof typeof LONGEST_DETAIL
export const DETAILS = Object.keys(LONGEST_DETAIL) as readonly Detail[]

/** Whether a detail exceeds its maximum length after normalisation for storage. */
export function isDetailTooLong(detail: Detail, text: string): boolean {
  return Array.from(keptLine(text)).length > LONGEST_DETAIL[detail]
}
