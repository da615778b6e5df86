import { DAY_MS, HOUR_MS, SECOND_MS } from '#core/time/instant.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import {
  EvidenceCollector,
  type EvidenceParts,
  type EvidenceWaits,
} from '#server/trading/evidence/evidence-collector.ts'

/** In live mode, the server repeats its requests for a day after the expiry, and for at least an hour after a start. */
export const EVIDENCE_WAITS: Readonly<Record<'demo' | 'live', EvidenceWaits>> = {
  live: { giveUpMs: DAY_MS, requestedForMs: HOUR_MS },
  demo: { giveUpMs: 60 * SECOND_MS, requestedForMs: 60 * SECOND_MS },
}

/** Starts to collect late evidence. Returns a function that stops it. */
export function collectEvidence(parts: EvidenceParts): () => Promise<void> {
  const collector = new EvidenceCollector(parts)
  const stopRounds = runPeriodically(parts.ctx, {
    pauseMs: () => SECOND_MS,
    run: () => collector.round(),
    failure: 'late evidence could not be collected',
  })
  return async () => {
    await Promise.all([stopRounds(), collector.stop()])
    // A round that was running may have begun requests.
    await collector.idle()
  }
}
