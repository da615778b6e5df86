import { calls } from '#contract/calls.ts'
import { toHex } from '#core/proof/bytes.ts'
import { refuse } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { clockErrorMs, type ClockMinute, newestClockMinute } from '#server/market-data/clock/clock.queries.ts'
import { listPeers, type SeenPeer } from '#server/market-data/source-versions/source-peers.queries.ts'
import {
  findSourceVersion,
  listSourceVersions,
  readSourceVersions,
  type SourceVersion,
} from '#server/market-data/source-versions/source-versions.queries.ts'

/** The published configurations of the price sources, and the certificates of their hosts. */
export function sourcesRoutes(register: Register, { db, now }: Pick<Ctx, 'db' | 'now'>): void {
  register(calls.proofSources, async () => {
    const { inForce } = await readSourceVersions(db, now())
    const versions = await listSourceVersions(db)
    const peers = await listPeers(db)
    const minute = await newestClockMinute(db, now())
    return answer({
      in_force: inForce && { ...toVersionReply(inForce), text: inForce.text },
      versions: versions.map(toVersionReply),
      clock: minute && toClockReply(minute),
      peers: peers.map(toPeerReply),
    })
  })

  register(calls.proofSource, async ({ params }) => {
    const number = /^\d{1,9}$/.test(params.number) ? Number(params.number) : 0
    const version = await findSourceVersion(db, number)
    return version === null ? refuse('not_found') : answer({ ...toVersionReply(version), text: version.text })
  })
}

function toVersionReply({ number, hash, seenAt, appliesAt }: SourceVersion) {
  return { number, hash: toHex(hash), seen_at: toIso(seenAt), applies_at: toIso(appliesAt) }
}

function toClockReply({ at, clocks }: ClockMinute) {
  return {
    at: toIso(at),
    error_ms: clockErrorMs(clocks),
    clocks: clocks.map(({ source, lowMs, highMs }) => ({ source, low_ms: lowMs, high_ms: highMs })),
  }
}

function toPeerReply({ host, spkiSha256, issuer, subject, notAfterMs, firstAt, lastAt, count }: SeenPeer) {
  return {
    host,
    spki_sha256: toHex(spkiSha256),
    issuer,
    subject,
    not_after: toIso(instant(notAfterMs)),
    first_at: toIso(firstAt),
    last_at: toIso(lastAt),
    count,
  }
}
