import { useNavigate, useParams } from 'react-router'
import type { AlertRow } from '#contract/back-office/alerts.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Pill } from '#ui/pill.tsx'
import { age, time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { AlertDetail } from '#back-office/pages/alerts/alert-detail.tsx'
import { AlertRules } from '#back-office/pages/alerts/alert-rules.tsx'
import { AlertState } from '#back-office/pages/alerts/alert-state.tsx'
import { OwnChannels } from '#back-office/pages/alerts/own-channels.tsx'
import { TwoLines } from '#back-office/queues/queue-cells.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

const ALL = 'all'
const TABS = ['open', 'closed', ALL] as const

/** Alerts of the site, with the channels of the staff member and the rules. */
export function AlertsPage() {
  const { id } = useParams()
  const navigate = useNavigate()
  const mayEdit = useMay('alerts.edit')
  const [filters, setFilter] = useFilters(['state'])
  const tab = TABS.find((one) => one === filters.state) ?? 'open'
  const goTo = (path: string) => void navigate({ pathname: path, search: globalThis.location.search })
  const close = () => goTo('/alerts')
  return (
    <ListPage
      title={t('nav.alerts')}
      call={staffCalls.staffAlerts}
      filters={{ state: tab === ALL ? '' : tab }}
      columns={COLUMNS}
      keyOf={(row) => row.id}
      onOpen={(row) => goTo(`/alerts/${row.id}`)}
      openKey={id}
      empty={t(tab === 'open' ? 'staff_alerts.none_open' : 'staff_alerts.none')}
      actions={
        <>
          {mayEdit && (
            <Button variant="secondary" size="s" onClick={() => goTo('/alerts/rules')}>
              {t('staff_alerts.rules')}
            </Button>
          )}
          <Button variant="secondary" size="s" onClick={() => goTo('/alerts/channels')}>
            {t('staff_alerts.own')}
          </Button>
        </>
      }
      detail={
        id === 'rules' ? (
          mayEdit && <AlertRules onClose={close} />
        ) : id === 'channels' ? (
          <OwnChannels onClose={close} />
        ) : (
          id !== undefined && <AlertDetail key={id} id={id} onClose={close} />
        )
      }
      tabs={{
        id: 'alerts',
        label: t('staff_alerts.tabs'),
        tabs: TABS.map((value) => ({ value, label: t(`staff_alerts.${value}`) })),
        value: tab,
        onChange: (value) => setFilter('state', value),
      }}
    />
  )
}

const COLUMNS: readonly Column<AlertRow>[] = [
  {
    id: 'alert',
    head: t('staff_alerts.alert'),
    cell: ({ rule, text }) => (
      <span className="block max-w-[52vw] md:max-w-[60ch]">
        <TwoLines first={t(`staff_alerts.rule_${rule}`)} second={text} />
      </span>
    ),
  },
  {
    id: 'severity',
    head: t('staff_alerts.severity'),
    from: 'md',
    cell: ({ severity }) => (
      <Pill tone={severity === 'wake' ? 'warn' : 'neutral'}>{t(`staff_alerts.severity_${severity}`)}</Pill>
    ),
  },
  {
    id: 'opened',
    head: t('staff_alerts.opened'),
    from: 'md',
    cell: ({ opened_at: at, closed_at: closed }) => (
      <TwoLines
        first={
          <span className="num whitespace-nowrap">{age(at, closed === null ? undefined : Date.parse(closed))}</span>
        }
        second={<span className="num">{time(at)}</span>}
      />
    ),
  },
  { id: 'state', head: t('staff_alerts.state'), cell: (row) => <AlertState row={row} /> },
]
