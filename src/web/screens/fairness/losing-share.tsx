import type { FairnessGroup } from '#contract/fairness.ts'
import { formatCount, formatRate } from '#ui/format.ts'
import { t } from '#web/i18n/t.ts'
import { Section, TooFew } from '#web/screens/fairness/section.tsx'
import { ShareBar } from '#web/screens/fairness/share-bar.tsx'

/** The share of users whose closed orders sum to a loss. */
export function LosingShare({ group, minUsers }: { group: FairnessGroup; minUsers: number }) {
  const { users, losing_users: losing, losing_share: share } = group
  return (
    <Section title={t('fairness.losing_title')}>
      {users === null || losing === null || share === null ? (
        <TooFew minUsers={minUsers} />
      ) : (
        <>
          <p className="num text-result font-semibold">{formatRate(share)}</p>
          <ShareBar percent={share} tone="down" />
          <p className="text-small text-fg-2">
            {t('fairness.losing', { losing: formatCount(losing), users: formatCount(users) })}
          </p>
        </>
      )}
    </Section>
  )
}
