import { HOUR_MS } from '#core/time/instant.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { type Peer, readPeer } from '#server/market-data/feeds/providers/peer-certificate.ts'
import { notePeer } from '#server/market-data/source-versions/source-peers.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

/** Creates a function that stores a certificate, without delaying the connection that presented it. */
export function createPeerRecorder(ctx: Pick<Ctx, 'db' | 'log' | 'now'>): (peer: Peer) => void {
  return (peer) => {
    notePeer(ctx.db, peer, ctx.now()).catch((error: unknown) =>
      ctx.log.warn({ err: error, host: peer.host }, 'the certificate of a price source could not be stored'),
    )
  }
}

/** Creates a feed that reads the certificates of its REST hosts when it starts, and once an hour. */
export function withRestPeers(ctx: Ctx, feed: Feed, hosts: readonly URL[], onPeer: (peer: Peer) => void): Feed {
  let stop: (() => Promise<void>) | null = null
  return {
    ...feed,
    async start(sink) {
      let hasLooked = false
      stop = runPeriodically(ctx, {
        pauseMs: () => (hasLooked ? HOUR_MS : 0),
        failure: 'the certificates of price sources could not be read',
        run: async () => {
          hasLooked = true
          for (const peer of await Promise.all(hosts.map(readPeer))) if (peer !== null) onPeer(peer)
        },
      })
      await feed.start(sink)
    },
    async stop() {
      await stop?.()
      await feed.stop()
    },
  }
}
