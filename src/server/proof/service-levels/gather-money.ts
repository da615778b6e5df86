import { makeEntry } from '#core/register/entry.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { countServiceLevels } from '#server/proof/service-levels/count-service-levels.queries.ts'
import type { Gather } from '#server/register/close-minute.ts'
import { newestEntry } from '#server/register/register.queries.ts'

/**
 * Records once a day how long deposits and withdrawals took and how many wait, so that no count can change afterwards.
 */
export const gatherMoney: Gather = async (tx, nowMs) => {
  const since = ((await newestEntry(tx, 'money')) ?? (await newestEntry(tx, 'genesis')))?.atMs ?? nowMs
  if (nowMs - since < DAY_MS) return []
  return [makeEntry('money', { at_ms: nowMs, ...(await countServiceLevels(tx, nowMs)) })]
}
