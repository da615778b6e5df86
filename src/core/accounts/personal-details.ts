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

export type DetailRefusal = 'text_too_long' | 'text_invalid'

/**
 * Control characters, and those that turn the direction of what follows: a name must not rewrite the page around it.
 * The joiners that Persian, Kurdish and Indic names are written with stay.
 */
const UNUSABLE = /[\p{Cc}\p{Cs}\p{Co}\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/u

/** A detail as it is kept: without spaces around it, and with one for several inside. */
export function tidyDetail(text: string): string {
  return text.trim().replace(/ {2,}/g, ' ')
}

/** What is wrong with a detail; null when it is fine. An empty one is. */
export function detailRefusal(detail: Detail, text: string): DetailRefusal | null {
  const tidy = tidyDetail(text)
  if (UNUSABLE.test(tidy)) return 'text_invalid'
  return Array.from(tidy).length > LONGEST_DETAIL[detail] ? 'text_too_long' : null
}
