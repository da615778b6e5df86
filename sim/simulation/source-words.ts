import type { Quote } from '#server/market-data/feeds/providers/provider.ts'
import type { Plan } from './plan.ts'

export const SOURCES = ['first', 'second'] as const
export type SourceName = (typeof SOURCES)[number]

/** A message of a source with numbered trades. A ticker names the newest trade. */
export type NumberedMessage =
  | { readonly kind: 'trade'; readonly ref: number; readonly price: string; readonly time: number }
  | { readonly kind: 'ticker'; readonly newestRef: number; readonly time: number }
  | { readonly kind: 'unread'; readonly ref: number }
  | { readonly kind: 'interrupted' }
export type NumberedWord = NumberedMessage & { readonly symbol: string }

/** A message of a source: a price, the statement that there is no newer price, or a message about numbered trades. */
export type Word =
  | NumberedWord
  | { readonly kind: 'quote'; readonly quote: Quote; readonly units: number }
  | { readonly kind: 'alive'; readonly symbol: string; readonly time: number }

/** Whether the trades of a source have numbers in this run. */
export function isNumbered({ rule, sources }: Plan, source: SourceName): boolean {
  return rule === 2 && sources.classes[SOURCES.indexOf(source)] === 'ids'
}
