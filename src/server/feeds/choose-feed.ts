import { fileURLToPath } from 'node:url'
import { instant } from '#core/time/instant.ts'
import type { Config } from '#server/config.ts'
import type { Ctx } from '#server/context.ts'
import type { Feed } from '#server/feeds/feed.ts'
import { createReplayFeed } from '#server/feeds/replay/replay-feed.ts'
import { createSyntheticFeed } from '#server/feeds/synthetic/synthetic-feed.ts'
import { StartUpError } from '#server/start-up-error.ts'

const RECORDINGS = fileURLToPath(new URL('../../../data/', import.meta.url))

/**
 * The price source that the configuration names. A replay has been running for ever, as it were: which row falls on
 * which moment does not depend on when the server was started, so a restart goes on where it would have been.
 */
export function chooseFeed({ feeds }: Pick<Config, 'feeds'>, { clock }: Pick<Ctx, 'clock'>): Feed {
  switch (feeds.kind) {
    case 'synthetic':
      return createSyntheticFeed({ clock, seed: feeds.seed })
    case 'replay': {
      const { speed, offsetMs } = feeds
      return createReplayFeed({ clock, dataDir: RECORDINGS, startAt: instant(0), speed, offsetMs })
    }
    case 'file':
      throw new StartUpError(
        'FAIRWICK_FEEDS names a file of price sources, which this version cannot read. It knows synthetic and replay.',
      )
  }
}
