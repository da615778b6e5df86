import { useState } from 'react'
import type { LimitsOut } from '#contract/limits.ts'
import type { SelfLimitKey } from '#core/accounts/self-limits.ts'
import { Card, SectionLabel } from '#ui/card.tsx'
import { withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { type LimitGroup, PERIODS } from '#web/limits/limit-text.ts'
import { useOwnLimits } from '#web/limits/own-limits.ts'
import { BreakCard } from '#web/screens/limits/break-card.tsx'
import { ChangeHistory } from '#web/screens/limits/change-history.tsx'
import { LimitRow } from '#web/screens/limits/limit-row.tsx'
import { LimitSheet } from '#web/screens/limits/limit-sheet.tsx'
import { OtherRules } from '#web/screens/limits/other-rules.tsx'
import { WaitingChanges } from '#web/screens/limits/waiting-changes.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'

const GROUPS: readonly LimitGroup[] = ['deposit', 'loss', 'staked']

export const LimitsScreen = withData(Limits)

/** The limits and the break that users set for themselves. */
function Limits() {
  const query = useOwnLimits()
  const own = query.data?.data
  return (
    <Page
      title={t('screen.limits')}
      header={<DeepHeader title={t('screen.limits')} parent="/account" />}
      className="pt-1 pb-8"
    >
      <ListStates query={query} isEmpty={own === undefined} emptyText={t('common.no_data')}>
        {own && <Sections own={own} reload={() => void query.refetch()} />}
      </ListStates>
    </Page>
  )
}

function Sections({ own, reload }: { own: LimitsOut; reload: () => void }) {
  const [edited, setEdited] = useState<SelfLimitKey | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const edit = (key: SelfLimitKey) => {
    setEdited(key)
    setIsOpen(true)
  }
  return (
    <>
      <p className="mb-1 px-0.5 text-small text-fg-2">{t('limits.intro')}</p>
      <WaitingChanges changes={own.waiting} onDone={reload} />
      {GROUPS.map((group) => (
        <section key={group} aria-labelledby={`limits-${group}`}>
          <Heading id={`limits-${group}`} title={t(`limits.${group}`)} hint={t(`limits.${group}_hint`)} />
          <Card padded={false} className="divide-y divide-line">
            {PERIODS.map((period) => (
              <LimitRow
                key={period}
                label={t(`limits.${period}`)}
                group={t(`limits.${group}`)}
                window={own[group][period]}
                onEdit={() => edit(`${group}_${period}`)}
              />
            ))}
          </Card>
        </section>
      ))}
      <section aria-labelledby="limits-stake">
        <Heading id="limits-stake" title={t('limits.stake_max')} hint={t('limits.stake_max_hint')} />
        <Card padded={false}>
          <LimitRow
            label={t('limits.stake_max')}
            window={own.stake_max === null ? null : { value: own.stake_max }}
            onEdit={() => edit('stake_max')}
          />
        </Card>
      </section>
      <section aria-label={t('limits.reality')} className="mt-5">
        <OtherRules own={own} onDone={reload} />
      </section>
      <section aria-labelledby="limits-break">
        <SectionLabel>
          <span id="limits-break">{t('limits.break')}</span>
        </SectionLabel>
        <BreakCard own={own.break} onDone={reload} />
      </section>
      <ChangeHistory history={own.history} />
      {edited !== null && (
        <LimitSheet
          key={edited}
          limit={edited}
          own={own}
          open={isOpen}
          onClose={() => setIsOpen(false)}
          onDone={reload}
        />
      )}
    </>
  )
}

function Heading({ id, title, hint }: { id: string; title: string; hint: string }) {
  return (
    <>
      <SectionLabel className="mb-0!">
        <span id={id}>{title}</span>
      </SectionLabel>
      <p className="mb-1.5 px-0.5 text-caption text-fg-3">{hint}</p>
    </>
  )
}
