import type { LogLine } from '#core/markets/log-text.ts'
import { instant, later } from '#core/time/instant.ts'
import { loadSourceLine } from '#server/market-data/tick-log/source-line.queries.ts'
import { LineDecider } from '#server/trading/engine/line-decider.ts'
import type { PriceRow } from '#server/trading/engine/due-order.ts'
import type { EvidenceParts } from '#server/trading/evidence/evidence-collector.ts'
import type { Parts } from '../simulation/injection-points.ts'
import type { Mutant } from './mutant.ts'

type Answer = Awaited<ReturnType<EvidenceParts['ticks']['record']>>
type EvidenceTicks = EvidenceParts['ticks']

/** Bugs in the way orders are decided by the numbered trades of their source. */
export const RULE_2_MUTANTS: Readonly<{ [name: string]: Mutant }> = {
  'order-of-the-log': {
    bug: 'the trades of a source count in the order of the log instead of that of their numbers',
    rule: 2,
    parts: () => readingLines(numberedByPlace),
  },
  'hole-ignored': {
    bug: 'a missing number counts as no trade',
    rule: 2,
    parts: () => readingLines((lines) => [...lines, ...sourcesOf(lines).map(nothingMissing)]),
  },
  'doubt-is-final': {
    bug: 'a trade that was left out in doubt is never asked about',
    rule: 2,
    parts: () => readingLines((lines) => lines.map((line) => (line.kind === 'x' ? { ...line, why: 'spike' } : line))),
  },
  'switch-forgets-number': {
    bug: 'what the log has from before a switch of the source is forgotten',
    rule: 2,
    parts: () => readingLines((lines) => lines.slice(lines.findLastIndex(({ kind }) => kind === 'u') + 1)),
  },
  'sources-mixed': {
    bug: 'the numbers of two sources are taken for one line',
    rule: 2,
    parts: () => readingLines((lines) => lines.map((line) => ({ ...line, source: 'first' }))),
  },
  'next-is-exit': {
    bug: 'the exit is the first trade after the expiry',
    rule: 2,
    parts: () => deciding((row) => (row.next === null ? row : { ...row, exit: row.next, voidReason: null })),
  },
  'void-without-asking': {
    bug: 'an order is void as soon as a trade is missing',
    rule: 2,
    parts: () => ({
      readHistory: (read) => async (question) => {
        const answer = await read(question)
        return answer.kind === 'none' ? { kind: 'unavailable' } : answer
      },
    }),
  },
  'settled-before-watermark': {
    bug: 'the newest trade of the log counts as the last one before the expiry, whether or not the source has passed it',
    rule: 2,
    parts: () => ({
      readHistory: (read, ticks) => async (question) => {
        const answer = await read(question)
        const { source, ref } = ticks.latest(question.symbolId) ?? {}
        if (answer.kind !== 'none' || source !== question.source || ref === undefined) return answer
        return { kind: 'quiet', newestRef: ref, coveredUntil: later(question.expiresAt, 1) }
      },
    }),
  },
  'record-overrules-log': {
    bug: 'late evidence repeats trades that the log has',
    rule: 2,
    parts: () => collecting(repeatsLogged),
  },
  'other-symbol': {
    bug: 'the record of another symbol is taken as evidence',
    rule: 2,
    parts: () =>
      collecting(({ ticks }) => ({
        ...ticks,
        record: (query) => ticks.record({ ...query, symbolId: query.symbolId === 1 ? 2 : 1 }),
      })),
  },
  'contradiction-ignored': {
    bug: 'a record that contradicts the log is believed',
    rule: 2,
    parts: () => collecting(agreesWithLog),
  },
  'asked-once': {
    bug: 'a question that failed is not asked again',
    rule: 2,
    parts: () => collecting(asksOnce),
  },
  'never-gives-up': {
    bug: 'a record that never answers is asked after the deadline too, and the orders stay open',
    rule: 2,
    parts: () => ({
      evidence: (parts) => ({ ...parts, waits: { ...parts.waits, giveUpMs: Number.MAX_SAFE_INTEGER / 2 } }),
    }),
  },
}

/** Changes the lines of the tick log that the engine reads. */
function readingLines(change: (lines: readonly LogLine[]) => LogLine[]): Partial<Parts> {
  return {
    ticks: (ticks) => ({
      ...ticks,
      async logLines(...query) {
        const found = await ticks.logLines(...query)
        return { ...found, lines: change(found.lines) }
      },
    }),
  }
}

/** Changes the decisions by numbered trades. */
function deciding(change: (row: PriceRow) => PriceRow): Partial<Parts> {
  return {
    patch: () => {
      // oxlint-disable-next-line typescript/unbound-method -- called with the right `this` below
      const { decide } = LineDecider.prototype
      LineDecider.prototype.decide = async function changed(key) {
        const row = await decide.call(this, key)
        return row && change(row)
      }
      return () => {
        LineDecider.prototype.decide = decide
      }
    },
  }
}

function collecting(change: (parts: EvidenceParts) => EvidenceTicks): Partial<Parts> {
  return { evidence: (parts) => ({ ...parts, ticks: change(parts) }) }
}

function sourcesOf(lines: readonly LogLine[]): { symbolId: number; source: string }[] {
  return [...new Map(lines.map(({ symbolId, source }) => [source, { symbolId, source }])).values()]
}

function nothingMissing(of: { readonly symbolId: number; readonly source: string }): LogLine {
  return { kind: 'x', ...of, from: 0, to: Number.MAX_SAFE_INTEGER, why: 'absent' }
}

/**
 * Numbers the trades of each source consecutively in the order of the tick log, starting from the source's first
 * number.
 */
function numberedByPlace(lines: readonly LogLine[]): LogLine[] {
  const next = new Map<string, number>()
  return lines.map((line) => {
    if (line.kind === 'x' || line.kind === 'u' || line.ref === null) return line
    const ref = next.get(line.source) ?? line.ref
    next.set(line.source, ref + 1)
    return { ...line, ref }
  })
}

function repeatsLogged({ ticks }: EvidenceParts): EvidenceTicks {
  let newest: Answer = null
  return {
    ...ticks,
    async record(query) {
      newest = await ticks.record(query)
      return newest
    },
    appendLate(batch) {
      const known = (newest?.prices ?? []).filter(({ ref }) => batch.prices.every((price) => price.ref !== ref))
      const prices = [...batch.prices, ...known].toSorted((a, b) => (a.ref ?? 0) - (b.ref ?? 0))
      return ticks.appendLate({ ...batch, prices })
    },
  }
}

function agreesWithLog({ ctx, ticks }: EvidenceParts): EvidenceTicks {
  return {
    ...ticks,
    async record(query) {
      const record = await ticks.record(query)
      if (record === null) return null
      const { symbolId, source, from, through } = query
      const line = await loadSourceLine(ctx.db, { symbolId, source, from: from.time, to: instant(through) })
      const logged = new Map(line.prices.map((price) => [price.ref, price]))
      const prices = record.prices.map((price) => {
        const { price: units, time } = logged.get(price.ref ?? 0) ?? price
        return { ...price, price: units, time }
      })
      return { ...record, prices }
    },
  }
}

function asksOnce({ ticks }: EvidenceParts): EvidenceTicks {
  const failed = new Set<string>()
  return {
    ...ticks,
    async record(query) {
      const key = `${query.symbolId} ${query.source} ${query.through}`
      if (failed.has(key)) return null
      try {
        return await ticks.record(query)
      } catch (error) {
        failed.add(key)
        throw error
      }
    },
  }
}
