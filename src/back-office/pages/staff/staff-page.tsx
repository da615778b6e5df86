import UserPlus from 'lucide-react/icons/user-plus'
import { useNavigate, useParams } from 'react-router'
import type { StaffRow } from '#contract/back-office/staff.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Avatar } from '#ui/symbol-mark.tsx'
import { time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { InviteStaff } from '#back-office/pages/staff/invite-staff.tsx'
import { StaffDetail } from '#back-office/pages/staff/staff-detail.tsx'
import { StaffState } from '#back-office/pages/staff/staff-state.tsx'
import { t } from '#back-office/i18n/t.ts'

const NEW = 'new'

/** All staff members with their roles, and the invitation of new ones. */
export function StaffPage() {
  const { id } = useParams()
  const navigate = useNavigate()
  const close = () => void navigate('/staff')
  return (
    <ListPage
      title={t('nav.staff')}
      call={staffCalls.staffMembers}
      filters={NO_FILTERS}
      columns={COLUMNS}
      keyOf={(row) => row.id}
      onOpen={(row) => void navigate(`/staff/${row.id}`)}
      openKey={id}
      actions={
        <Button
          size="m"
          className="lg:min-h-9"
          icon={<UserPlus size={16} aria-hidden="true" />}
          onClick={() => void navigate(`/staff/${NEW}`)}
        >
          {t('staff.invite')}
        </Button>
      }
      empty={t('staff.none')}
      detail={
        id === NEW ? (
          <InviteStaff onClose={close} />
        ) : (
          id !== undefined && <StaffDetail key={id} id={id} onClose={close} />
        )
      }
    />
  )
}

const NO_FILTERS = {}

const COLUMNS: readonly Column<StaffRow>[] = [
  {
    id: 'name',
    head: t('staff.name'),
    cell: ({ name, role }) => (
      <span className="flex items-center gap-3">
        <Avatar name={name} size={32} />
        <span className="min-w-0">
          <span className="block truncate font-list">{name}</span>
          <span className="block text-caption text-fg-3">{t(`role.${role}`)}</span>
        </span>
      </span>
    ),
  },
  { id: 'state', head: t('common.state'), cell: ({ state }) => <StaffState state={state} /> },
  {
    id: 'second_step',
    head: t('staff.second_step'),
    from: 'lg',
    cell: ({ has_second_step: has }) => t(has ? 'staff.set_up' : 'staff.not_yet'),
  },
  {
    id: 'sessions',
    head: t('staff.sessions'),
    end: true,
    from: 'md',
    cell: ({ sessions }) => <span className="num">{sessions}</span>,
  },
  {
    id: 'seen',
    head: t('staff.last_seen'),
    from: 'md',
    cell: ({ last_seen_at: seen }) => <span className="num whitespace-nowrap">{seen === null ? '–' : time(seen)}</span>,
  },
]
