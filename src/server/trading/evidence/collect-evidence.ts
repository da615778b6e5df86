import { DAY_MS, HOUR_MS, SECOND_MS } from '#core/time/instant.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { EvidenceCollector, type EvidenceParts } from '#server/trading/evidence/evidence-collector.ts'

/** In live mode the source is asked for a day, and for an hour after a start. */
const LIVE_WAITS = { giveUpMs: DAY_MS, askedForMs: HOUR_MS }
const DEMO_WAITS = { giveUpMs: 60 * SECOND_MS, askedForMs: 60 * SECOND_MS }

/** Starts to collect late evidence. Returns a function that stops it. */
export function collectEvidence(parts: Omit<EvidenceParts, 'waits'>, mode: 'demo' | 'live'): () => Promise<void> {
  const collector = new EvidenceCollector({ ...parts, waits: mode === 'live' ? LIVE_WAITS : DEMO_WAITS })
  return runPeriodically(parts.ctx, {
    pauseMs: () => SECOND_MS,
    run: () => collector.round(),
    failure: 'late evidence could not be collected',
  })
}
