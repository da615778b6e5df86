import type { RecoveryRow } from '#contract/back-office/recoveries.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { useStaffList } from '#back-office/api/queries.ts'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { SidePane } from '#back-office/detail/side-pane.tsx'
import { time } from '#back-office/i18n/format.ts'
import { useOpenOrAnyRow } from '#back-office/list/find-row.ts'
import { RowSearch } from '#back-office/list/row-search.tsx'
import { DecideRecovery } from '#back-office/pages/recoveries/decide-recovery.tsx'
import { lostText } from '#back-office/pages/recoveries/lost-text.ts'
import { RecoveryState } from '#back-office/pages/recoveries/recovery-state.tsx'
import { t } from '#back-office/i18n/t.ts'

const OPEN = { state: 'open' } as const
const ALL = { state: 'all' } as const

/** One recovery with its evidence, and the actions on the recovery. */
export function RecoveryDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const open = useStaffList(staffCalls.staffRecoveries, OPEN)
  const all = useStaffList(staffCalls.staffRecoveries, ALL)
  const sought = useOpenOrAnyRow({ open, all }, id)
  const { row: recovery } = sought
  return (
    <SidePane title={t('nav.recoveries')} subtitle={recovery?.username} onClose={onClose}>
      <RowSearch sought={sought} />
      {recovery && (
        <>
          <RecoveryFacts recovery={recovery} />
          <DecideRecovery recovery={recovery} />
        </>
      )}
    </SidePane>
  )
}

function RecoveryFacts({ recovery }: { recovery: RecoveryRow }) {
  const { deposits, link_until: linkUntil, ended_at: endedAt, ended_by: endedBy } = recovery
  return (
    <>
      <Block title={t('recoveries.state')}>
        <Facts>
          <Fact name={t('recoveries.state')}>
            <RecoveryState state={recovery.state} />
          </Fact>
          <Fact name={t('recoveries.asked_by')}>{`${recovery.asked_by}, ${time(recovery.asked_at)}`}</Fact>
          <Fact name={t('recoveries.confirmed_by')}>{recovery.confirmed_by ?? '–'}</Fact>
          <Fact name={t('recoveries.opens')}>{recovery.opens_at === null ? '–' : time(recovery.opens_at)}</Fact>
          {linkUntil !== null && <Fact name={t('recoveries.link_until')}>{time(linkUntil)}</Fact>}
          {endedAt !== null && (
            <Fact name={t('recoveries.ended')}>
              {`${endedBy === 'user' ? t('recoveries.ended_user') : endedBy}, ${time(endedAt)}`}
            </Fact>
          )}
        </Facts>
      </Block>
      <Block title={t('recoveries.words')}>
        <Facts>
          <Fact name={t('recoveries.lost')}>{lostText(recovery.lost)}</Fact>
          <Fact name={t('recoveries.link_to')}>{recovery.link_to}</Fact>
          {deposits.length > 0 && <Fact name={t('recoveries.deposits')}>{deposits.join(', ')}</Fact>}
        </Facts>
        <p className="pt-2 whitespace-pre-wrap" dir="auto">
          {recovery.words}
        </p>
      </Block>
      {recovery.is_new_address && recovery.state === 'asked' && (
        <Alert tone="warn">{t('recoveries.new_address')}</Alert>
      )}
    </>
  )
}
