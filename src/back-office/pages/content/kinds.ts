import type { ContentKindOut } from '#contract/back-office/content.ts'

export type Kind = ContentKindOut

/** Where something new is written; no key of an entry looks like it. */
export const NEW = '+'

/** The two pages of content in the navigation, with the kinds each has. */
export const CONTENT_PAGES = {
  '/pages': ['page', 'post'],
  '/faq': ['question', 'banner'],
} as const satisfies Record<string, readonly Kind[]>
export type ContentBase = keyof typeof CONTENT_PAGES
