import { sql } from 'kysely'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Peer } from '#server/market-data/feeds/providers/peer-certificate.ts'

/** A certificate and when it was seen. */
export interface SeenPeer extends Peer {
  readonly firstAt: Instant
  readonly lastAt: Instant
  readonly count: number
}

/** 50 certificates are enough for all hosts of a configuration, with several certificates each. */
const MAX_PEERS = 50

/** Notes that a host showed a certificate. A certificate that is new for the host gets its own row. */
export async function notePeer(db: Db, peer: Peer, now: Instant): Promise<void> {
  const { host, spkiSha256, issuer, subject, notAfterMs } = peer
  await db
    .insertInto('source_peer')
    .values({
      host,
      spki_sha256: spkiSha256,
      issuer,
      subject,
      not_after_ms: notAfterMs,
      first_ms: now,
      last_ms: now,
      count: 1,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['host', 'spki_sha256'])
        .doUpdateSet({ last_ms: now, count: sql<bigint>`source_peer.count + 1` }),
    )
    .execute()
}

/** Lists the certificates that were seen last, newest first. */
export async function listPeers(db: Db): Promise<SeenPeer[]> {
  const rows = await db.selectFrom('source_peer').selectAll().orderBy('last_ms', 'desc').limit(MAX_PEERS).execute()
  return rows.map((row) => ({
    host: row.host,
    spkiSha256: row.spki_sha256,
    issuer: row.issuer,
    subject: row.subject,
    notAfterMs: Number(row.not_after_ms),
    firstAt: instant(row.first_ms),
    lastAt: instant(row.last_ms),
    count: Number(row.count),
  }))
}
