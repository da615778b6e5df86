import { keptLine } from '#core/text/kept-text.ts'

/** How long each detail a person gives may be, in characters as people count them. */
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

/** Whether a detail has more characters than it may, as it would be kept. */
export function isDetailTooLong(detail: Detail, text: string): boolean {
  return Array.from(keptLine(text)).length > LONGEST_DETAIL[detail]
}
