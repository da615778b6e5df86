import type { Config } from '#server/app/config/config.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { chooseFeed } from '#server/market-data/feeds/choose-feed.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { renewableFeed } from '#server/market-data/feeds/base/renewable-feed.ts'
import { missingForLive } from '#server/settings/missing-for-live.ts'
import type { SiteSettings } from '#server/settings/site-settings.ts'
import { cannotStart } from '#server/platform/runtime/startup-error.ts'

/**
 * Creates the price feed. Throws one error that lists every fault of the feed and of live mode, before anything is
 * written.
 */
export async function feedOrRefusal(config: Config, ctx: Ctx, settings: SiteSettings, given?: Feed): Promise<Feed> {
  const publishes = config.roles.has('feed')
  const unset = config.mode === 'live' ? missingForLive(settings) : []
  const chosen = given === undefined ? await chooseFeed(config, ctx, publishes) : { feed: given }
  if ('feed' in chosen && unset.length === 0) {
    return (
      given ??
      renewableFeed(chosen.feed, ctx, async () => {
        const again = await chooseFeed(config, ctx, publishes)
        if ('feed' in again) return again.feed
        throw cannotStart([...again.problems])
      })
    )
  }
  throw cannotStart([...unset, ...('feed' in chosen ? [] : chosen.problems)])
}
