import type { ContentKindOut } from '#contract/back-office/content.ts'

export type Kind = ContentKindOut

/** The key of the page for a new entry. No entry can have this key. */
export const NEW = '+'

/** The two content pages in the navigation, with the kinds of content on each. */
export const CONTENT_PAGES = {
  '/pages': ['page', 'post'],
  '/faq': ['question', 'banner'],
} as const satisfies Record<string, readonly Kind[]>
export type ContentBase = keyof typeof CONTENT_PAGES
