import { useCallQuery } from '#web/api/query.tsx'
import { durationText } from '#web/i18n/duration-text.ts'
import { t } from '#web/i18n/t.ts'

const DAYS = 30

/**
 * How long deposits or withdrawals took lately, for a user who waits for one. Empty while no deposit or withdrawal has
 * been decided.
 */
export function UsualTime({ of }: { of: 'deposits' | 'withdrawals' }) {
  const query = useCallQuery('GET /proof/service-levels', {})
  const lately = query.data?.data[of].windows.find(({ days }) => days === DAYS)
  if (lately === undefined || lately.median_ms === null || lately.p90_ms === null) return null
  const times = { median: durationText(lately.median_ms), p90: durationText(lately.p90_ms) }
  return <p className="mb-3 text-label text-fg-2">{t('withdrawal_history.usual', times)}</p>
}
