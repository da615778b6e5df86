import type { StaffRow } from '#contract/back-office/staff.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { useStaffList } from '#back-office/api/queries.ts'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { time } from '#back-office/i18n/format.ts'
import { useRow } from '#back-office/list/find-row.ts'
import { RowSearch } from '#back-office/list/row-search.tsx'
import { ChangeStaff } from '#back-office/pages/staff/change-staff.tsx'
import { SidePane } from '#back-office/detail/side-pane.tsx'
import { StaffState } from '#back-office/pages/staff/staff-state.tsx'
import { useStaff } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

const NO_FILTERS = {}

/** One staff member and the actions on them. The list already contains all their data. */
export function StaffDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const own = useStaff()
  const sought = useRow(useStaffList(staffCalls.staffMembers, NO_FILTERS), id)
  const { row: person } = sought
  return (
    <SidePane title={person?.name ?? t('nav.staff')} subtitle={person && t(`role.${person.role}`)} onClose={onClose}>
      <RowSearch sought={sought} />
      {person && (
        <>
          <Block title={t('staff.facts')}>
            <Facts>
              <Fact name={t('common.state')}>
                <StaffState state={person.state} />
              </Fact>
              <Fact name={t('staff.second_step')}>{t(person.has_second_step ? 'staff.set_up' : 'staff.not_yet')}</Fact>
              <Fact name={t('staff.approver')}>{approverText(person)}</Fact>
              <Fact name={t('staff.sessions')}>{person.sessions}</Fact>
              <Fact name={t('staff.last_seen')}>{person.last_seen_at === null ? '–' : time(person.last_seen_at)}</Fact>
              <Fact name={t('staff.since')}>{time(person.created_at)}</Fact>
            </Facts>
          </Block>
          {person.id === own.id ? (
            <p className="text-fg-2">{t('refusal.not_yourself')}</p>
          ) : (
            <ChangeStaff key={person.id} person={person} />
          )}
        </>
      )}
    </SidePane>
  )
}

function approverText({ approver_since: since, admitted_by: by }: StaffRow): string {
  if (since === null) return t('staff.approver_no')
  return t(by === 1 ? 'staff.approver_by_one' : 'staff.approver_since', { time: time(since) })
}
