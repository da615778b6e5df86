import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { PaymentFileRow, ReadyMethod } from '#contract/back-office/payment-files.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { PAYMENT_FILE_STATES } from '#core/wallet/payment-file.ts'
import { payment, shortTime } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { NewPaymentFile } from '#back-office/pages/payment-files/new-payment-file.tsx'
import { PaymentFileDetail } from '#back-office/pages/payment-files/payment-file-detail.tsx'
import { PaymentFileState } from '#back-office/pages/payment-files/payment-file-state.tsx'
import { ReadyMethods } from '#back-office/pages/payment-files/ready-methods.tsx'
import { TwoLines } from '#back-office/queues/queue-cells.tsx'
import { t } from '#back-office/i18n/t.ts'

const ALL = 'all'
const TABS = [...PAYMENT_FILE_STATES, ALL] as const

/** Payment files for the portal of a bank, and the approved withdrawals from which a new file can be made. */
export function PaymentFilesPage() {
  const { id } = useParams()
  const navigate = useNavigate()
  const [filters, setFilter] = useFilters(['state'])
  const [chosen, setChosen] = useState<ReadyMethod | null>(null)
  const tab = TABS.find((one) => one === filters.state) ?? ALL
  const goTo = (path: string) => {
    setChosen(null)
    void navigate({ pathname: path, search: globalThis.location.search })
  }
  const open = (fileId: string) => goTo(`/payment-files/${fileId}`)
  const close = () => goTo('/payment-files')
  return (
    <ListPage
      title={t('nav.payment_files')}
      call={staffCalls.staffPaymentFiles}
      filters={{ state: tab === ALL ? '' : tab }}
      columns={COLUMNS}
      keyOf={(row) => row.id}
      onOpen={(row) => open(row.id)}
      openKey={chosen === null ? id : undefined}
      empty={t('payment_files.none')}
      detail={
        chosen === null ? (
          id !== undefined && <PaymentFileDetail key={id} id={id} onClose={close} />
        ) : (
          <NewPaymentFile key={chosen.method_id + chosen.currency} method={chosen} onMade={open} onClose={close} />
        )
      }
      tabs={{
        id: 'payment-files',
        label: t('payment_files.tabs'),
        tabs: TABS.map((value) => ({ value, label: t(`payment_files.${value}`) })),
        value: tab,
        onChange: (value) => setFilter('state', value),
      }}
    >
      <ReadyMethods onChoose={setChosen} />
    </ListPage>
  )
}

const COLUMNS: readonly Column<PaymentFileRow>[] = [
  {
    id: 'method',
    head: t('payment_files.method'),
    cell: ({ method, created_at: at, made_by: by }) => <TwoLines first={method} second={`${shortTime(at)}, ${by}`} />,
  },
  {
    id: 'sum',
    head: t('payment_files.sum'),
    end: true,
    cell: ({ sum, currency, count }) => (
      <TwoLines
        first={<span className="num">{payment(sum, currency.toUpperCase())}</span>}
        second={t('payment_files.payments', { count })}
      />
    ),
  },
  {
    id: 'downloads',
    head: t('payment_files.downloads'),
    end: true,
    from: 'md',
    cell: ({ downloads }) => <span className="num">{downloads}</span>,
  },
  { id: 'state', head: t('common.state'), cell: ({ state }) => <PaymentFileState state={state} /> },
]
