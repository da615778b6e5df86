import { z } from 'zod'
import { instant } from '#core/time/instant.ts'
import { addUnused, type UnusedTradeCounts } from '#core/markets/sources/unused-trade.ts'
import { type SourceHealth, SUSPECT_REASONS, type UnplacedTrades } from '#server/market-data/feeds/base/feed.ts'
import type { TickMessage } from '#server/market-data/replication/shared-ticks.ts'

const When = z.number().transform(instant)
const Hash = z.string().transform((text) => new Uint8Array(Buffer.from(text, 'base64')))

/** Drops reasons that only a later version knows. */
const Unused = z.record(z.string(), z.number()).transform((counts): UnusedTradeCounts => addUnused([counts]))

const Health: z.ZodType<SourceHealth> = z.object({
  symbolId: z.number(),
  provider: z.string(),
  providerSymbol: z.string(),
  state: z.enum(['well', 'silent', 'late', 'refused']),
  isUsed: z.boolean(),
  newestAt: When.nullable(),
  heardAt: When.nullable(),
  // Servers of an older version do not send this.
  unused: Unused.default({}),
})

const Unplaced: z.ZodType<UnplacedTrades> = z.object({ provider: z.string(), unused: Unused })

const Message = z.object({
  token: z
    .string()
    .regex(/^\d+$/)
    .transform((text) => BigInt(text)),
  from: z.number(),
  previousHash: Hash,
  headSeq: z.number(),
  hash: Hash,
  payload: z.string(),
  heard: z.array(z.tuple([z.number(), When])),
  floor: When.nullable(),
  // Servers of the previous version do not send holes.
  holes: z.array(z.object({ symbolId: z.number(), from: When, until: When })).default([]),
  doubts: z.array(z.tuple([z.number(), z.enum(SUSPECT_REASONS)])),
  sources: z.array(Health).optional(),
  unplaced: z.array(Unplaced).optional(),
  keptOut: z.record(z.string(), z.number()).optional(),
})

export function writeTickMessage(word: TickMessage): unknown {
  return { ...word, token: String(word.token), previousHash: base64(word.previousHash), hash: base64(word.hash) }
}

/**
 * Parses a message. Returns null for a message of an unknown form. Its content is not lost, because the follower reads
 * it from the log.
 */
export function readTickMessage(body: unknown): TickMessage | null {
  const read = Message.safeParse(body)
  if (!read.success) return null
  const { sources, unplaced, keptOut, ...word } = read.data
  return {
    ...word,
    ...(sources !== undefined && { sources }),
    ...(unplaced !== undefined && { unplaced }),
    ...(keptOut !== undefined && { keptOut }),
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
