import type { SourceClass } from '#core/markets/source-class.ts'
import { NO_PREVIOUS, readTermsText, type TermsEntry, termsText } from '#core/markets/terms/terms-entry.ts'
import { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { asciiBytes, toHex } from '#core/proof/bytes.ts'
import { leafHash } from '#core/proof/hash-tree.ts'
import { makeEntry } from '#core/register/entry.ts'
import { instant } from '#core/time/instant.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { below, between, isLikely, oneOf } from './chance.ts'
import { BEGINS_MS, SYMBOL } from './random-market.ts'

export const DURATIONS = [10, 30, 60] as const

/** Returns the hash of an entry of the register. */
export function entryHashOf(text: string): string {
  return toHex(leafHash(sha256, asciiBytes(text)))
}

function randomPayout(): string {
  return String(between(1, 100) * 100)
}

/** Trade terms with changes before and after the orders. */
export interface RandomTerms {
  readonly texts: readonly string[]
  readonly history: TermsHistory
}

export function randomTerms(): RandomTerms {
  const texts: string[] = []
  const entries: TermsEntry[] = []
  let previous = NO_PREVIOUS
  const add = (what: TermsEntry['what'], of: string, value: string, appliesMs: number): void => {
    const isBefore = appliesMs === 0
    const [announcedAt, appliesAt] = [instant(Math.max(0, appliesMs - 3_600_000)), instant(appliesMs)]
    const text = termsText({ n: texts.length + 1, what, of, value, announcedAt, appliesAt, isBefore, previous })
    const entry = readTermsText(text)
    if (entry === null) throw new Error('these terms are readable')
    texts.push(text)
    entries.push(entry)
    previous = entryHashOf(text)
  }
  for (const seconds of DURATIONS) {
    add('duration', String(seconds), isLikely(20) ? 'withdrawn' : 'open', 0)
    add('payout', String(seconds), randomPayout(), 0)
    add('duration', String(seconds), 'open', BEGINS_MS - 1_000)
  }
  add('max_tick_age', SYMBOL.symbol, String(oneOf([2_000, 5_000, 15_000])), BEGINS_MS - below(2) * 3_600_000)
  add('rule', 'all', '2', BEGINS_MS - 1)
  // A notice period of one minute, the shortest in a demo, or of one hour, as on a live site.
  add('notice', 'all', String(oneOf([60_000, 3_600_000])), 0)
  // Changes that take effect shortly before or while the orders are open, in random order.
  for (let left = below(6); left > 0; left--) {
    add('payout', String(oneOf(DURATIONS)), randomPayout(), BEGINS_MS + between(-10_000, 30_000))
    if (isLikely(30)) add('min_stake', String(oneOf(DURATIONS)), '100', BEGINS_MS)
  }
  add('duration', String(oneOf(DURATIONS)), 'withdrawn', BEGINS_MS + 3_600_000)
  return { texts, history: new TermsHistory(entries) }
}

/** Returns the text of a published configuration of price sources, with the evidence class of one source. */
export function sourcesText(source: string, evidence: SourceClass): string {
  const sources = [
    { provider: 'second', symbol: 'X', channel: 'ticker', class: 'none' },
    { provider: source, symbol: 'BTCUSDT', channel: 'trade', class: evidence },
  ]
  const symbols = [
    { code: 'ETH', id: 2, decimals: 2, rounding: 'half-even', sources: [] },
    { code: SYMBOL.symbol, id: SYMBOL.symbol_id, decimals: SYMBOL.decimals, rounding: 'half-even', sources },
  ]
  const fields = { n: 1, program: `0.${below(100)}.0`, providers: [], limits: {}, symbols, applies_ms: 0 }
  return makeEntry('sources', { ...fields, previous: NO_PREVIOUS }).text
}
