import { isSameConfiguration, type SourceConfiguration } from '#core/markets/sources/source-configuration.ts'
import { toHex } from '#core/proof/bytes.ts'
import { entryHash, makeEntry } from '#core/register/entry.ts'
import { HOUR_MS, later, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { addRegisterEntry } from '#server/register/add-entry.queries.ts'
import {
  configurationOf,
  insertSourceVersion,
  readSourceVersions,
  type SourceVersions,
} from '#server/market-data/source-versions/source-versions.queries.ts'

/** One hour of notice, plus the minute within which the register takes the entry. */
const NOTICE_MS = HOUR_MS + MINUTE_MS
const NONE_BEFORE = '0'.repeat(64)

/**
 * Publishes a configuration of the price sources when it differs from the newest one: as a row and as an entry of the register. In live
 * mode it takes effect after an hour. In a demo, or as the first configuration, it takes effect at once.
 */
export async function publishSources(
  ctx: Ctx,
  mode: 'demo' | 'live',
  configuration: SourceConfiguration,
): Promise<SourceVersions> {
  for (;;) {
    const known = await readSourceVersions(ctx.db, ctx.now())
    const { newest } = known
    if (newest !== null && isSameConfiguration(configurationOf(newest), configuration)) return known
    if (await publish(ctx, { mode, configuration, known })) return await readSourceVersions(ctx.db, ctx.now())
    // Another server has published a configuration in the meantime.
  }
}

async function publish(
  ctx: Ctx,
  facts: {
    readonly mode: 'demo' | 'live'
    readonly configuration: SourceConfiguration
    readonly known: SourceVersions
  },
): Promise<boolean> {
  const { mode, configuration, known } = facts
  const { newest } = known
  const now = ctx.now()
  const number = (newest?.number ?? 0) + 1
  const appliesAt = mode === 'live' && newest !== null ? later(now, NOTICE_MS) : now
  const { program, providers, limits, symbols } = configuration
  const entry = makeEntry('sources', {
    n: number,
    program,
    providers,
    limits,
    symbols,
    applies_ms: appliesAt,
    previous: newest === null ? NONE_BEFORE : toHex(newest.hash),
  })
  const hash = new Uint8Array(entryHash(sha256, entry.text))
  return await ctx.db.transaction().execute(async (tx) => {
    const isNew = await insertSourceVersion(tx, { number, text: entry.text, hash, seenAt: now, appliesAt })
    if (isNew) await addRegisterEntry(ctx, tx, entry)
    return isNew
  })
}
