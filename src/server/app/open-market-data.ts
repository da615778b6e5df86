import { createCandlePages } from '#server/market-data/candles/candle-pages.ts'
import type { Opening } from '#server/app/opening.ts'
import { createPasswords } from '#server/platform/credentials/passwords.ts'
import { feedOrRefusal } from '#server/app/open-feed.ts'
import { loadCatalogue } from '#server/market-data/catalogue/load-catalogue.ts'
import { retryOnConflict } from '#server/platform/database/retry-on-conflict.ts'
import { joinNodes } from '#server/app/cluster/join-cluster.ts'
import { rotateEncryptionKey } from '#server/operator-cli/rotate-encryption-key.ts'
import { seed } from '#server/seed/seed.ts'
import { NO_CLOCKS } from '#server/market-data/feeds/base/feed-clocks.ts'
import { loadSettings } from '#server/settings/site-settings.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import type { Platform } from '#server/app/open-platform.ts'

/**
 * Opens the site's settings, its initial data, the connection to the other servers and the stream of prices. No prices
 * are read before the server starts.
 */
export async function openMarketData({ config, overrides, lifecycle }: Opening, { ctx, database }: Platform) {
  const settings = await loadSettings(ctx.db)
  // Encrypts the rows that an older version stored without encryption.
  await rotateEncryptionKey(ctx, 'unsealed')
  const feed = await feedOrRefusal(config, ctx, settings.current, overrides.feed)
  const ownPasswords = createPasswords((count) => ctx.randomBytes(count), overrides.hashCost)
  const passwords = overrides.aroundPasswords?.(ownPasswords) ?? ownPasswords
  await retryOnConflict(ctx, () => seed({ ctx, passwords, mode: config.mode, feed }))
  await settings.reload()
  const catalogue = await loadCatalogue(ctx)
  // The embedded database belongs to one process. On PostgreSQL, several servers may share the database.
  const nodes = database?.kind === 'postgres' ? await joinNodes(ctx, config, database.leasesDb) : null
  lifecycle.opened('bus', () => nodes?.bus.stop())
  lifecycle.opened('leases', () => nodes?.leases.stop())
  const ticks = createTicks({
    ctx,
    feed,
    ...(nodes && { shared: nodes.sharedTicks }),
    // Includes symbols that are no longer listed, because orders on them may still be open.
    symbols: catalogue.known,
    splitsOf: (symbolId) => catalogue.byId(symbolId)?.splits ?? [],
    ...(overrides.flushMs !== undefined && { flushMs: overrides.flushMs }),
  })
  lifecycle.opened('prices', () => ticks.stop())
  const candlePages = createCandlePages({ ctx, ticks, catalogue })
  const clocks = () => feed.clocks ?? NO_CLOCKS
  return { settings, passwords, catalogue, nodes, ticks, candlePages, clocks }
}

export type MarketData = Awaited<ReturnType<typeof openMarketData>>
