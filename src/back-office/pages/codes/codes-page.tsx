import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import type { AccessCodeRow } from '#contract/back-office/access-codes.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import { SidePane } from '#back-office/detail/side-pane.tsx'
import { amount, time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { CodeForm } from '#back-office/pages/codes/code-form.tsx'
import { MakeCodes } from '#back-office/pages/codes/make-codes.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

const ALL = 'all'
const TABS = [ALL, 'open', 'off'] as const
const TAB_TEXTS = { all: 'codes.all', open: 'codes.on', off: 'codes.off_tab' } as const

type Pane = 'new' | 'make' | AccessCodeRow

/** The access codes with which people sign up, with the number of uses and a pane to make or change codes. */
export function CodesPage() {
  const [filters, setFilter] = useFilters(['search', 'state'])
  const [pane, setPane] = useState<Pane | null>(null)
  const mayEdit = useMay('users.manage')
  const tab = TABS.find((one) => one === filters.state) ?? ALL
  const close = () => setPane(null)
  return (
    <ListPage
      title={t('nav.codes')}
      call={staffCalls.staffAccessCodes}
      filters={{ search: filters.search, state: tab === ALL ? '' : tab }}
      columns={COLUMNS}
      keyOf={(row) => row.id}
      onOpen={setPane}
      openKey={typeof pane === 'object' ? pane?.id : undefined}
      search={{
        placeholder: t('codes.search'),
        value: filters.search,
        onChange: (text) => setFilter('search', text),
      }}
      tabs={{
        id: 'codes',
        label: t('codes.states'),
        tabs: TABS.map((value) => ({ value, label: t(TAB_TEXTS[value]) })),
        value: tab,
        onChange: (value) => setFilter('state', value),
      }}
      actions={
        mayEdit && (
          <>
            {/* Beside an open pane there is room for one button. */}
            {pane === null && (
              <Button size="m" variant="secondary" onClick={() => setPane('make')}>
                {t('codes.make')}
              </Button>
            )}
            <Button size="m" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setPane('new')}>
              {t('codes.new')}
            </Button>
          </>
        )
      }
      empty={t('codes.none')}
      detail={
        pane !== null && (
          // With the version in the key, the form of a code that is opened again begins with the newest values.
          <SidePane
            key={typeof pane === 'object' ? `${pane.id} ${pane.version}` : pane}
            title={titleOf(pane)}
            onClose={close}
          >
            {pane === 'make' ? <MakeCodes /> : <CodeForm row={pane === 'new' ? null : pane} onSaved={close} />}
          </SidePane>
        )
      }
    />
  )
}

function titleOf(pane: Pane): string {
  if (typeof pane === 'object') return pane.code
  return t(pane === 'new' ? 'codes.new' : 'codes.make')
}

const OUTCOME = {
  open: 'success',
  coming: 'pending',
  used_up: 'cancelled',
  over: 'cancelled',
  off: 'rejected',
} as const

const COLUMNS: readonly Column<AccessCodeRow>[] = [
  {
    id: 'code',
    head: t('codes.code'),
    cell: ({ code, label }) => (
      <span className="min-w-0">
        <span className="mono block truncate font-list">{code}</span>
        {label !== '' && (
          <span className="block truncate text-caption text-fg-3" dir="auto">
            {label}
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'uses',
    head: t('codes.uses'),
    end: true,
    cell: ({ uses, max_uses: most }) => (
      <span className="num">
        <span className="block">{uses}</span>
        {most !== null && <span className="block text-caption text-fg-3">{t('codes.of', { most })}</span>}
      </span>
    ),
  },
  {
    id: 'deposited',
    head: t('codes.deposited'),
    from: 'md',
    end: true,
    cell: ({ deposited }) => <span className="num">{amount(deposited)}</span>,
  },
  {
    id: 'until',
    head: t('codes.until'),
    from: 'lg',
    cell: ({ until }) => <span className="num whitespace-nowrap">{until === null ? '–' : time(until)}</span>,
  },
  {
    id: 'state',
    head: t('codes.states'),
    cell: ({ state }) => <OutcomePill outcome={OUTCOME[state]}>{t(`codes.state_${state}`)}</OutcomePill>,
  },
]
