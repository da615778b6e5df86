import Plus from 'lucide-react/icons/plus'
import { useNavigate, useParams } from 'react-router'
import type { TradeTermsRow } from '#contract/back-office/trade-terms.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { durationText } from '#back-office/terms/duration-text.ts'
import { NewTerms } from '#back-office/pages/terms/new-terms.tsx'
import { GeneralTerms } from '#back-office/pages/terms/general-terms.tsx'
import { QuickAmounts } from '#back-office/pages/terms/quick-amounts.tsx'
import { payoutText, stakesText } from '#back-office/pages/terms/terms-cells.ts'
import { TermsDetail } from '#back-office/pages/terms/terms-detail.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

const NEW = 'new'
const GENERAL = 'all'

/** Order durations with their stakes and payouts, and the quick amounts. All users have the same terms. */
export function TermsPage() {
  const { id } = useParams()
  const navigate = useNavigate()
  const mayEdit = useMay('markets.edit')
  const goTo = (path: string) => void navigate(path)
  const close = () => goTo('/terms')
  return (
    <ListPage
      title={t('nav.terms')}
      call={staffCalls.staffTradeTerms}
      filters={{}}
      columns={COLUMNS}
      keyOf={(row) => String(row.id)}
      onOpen={(row) => goTo(`/terms/${row.id}`)}
      openKey={id}
      actions={
        <>
          <Button size="s" variant="secondary" onClick={() => goTo(`/terms/${GENERAL}`)}>
            {t('markets.all_durations')}
          </Button>
          {mayEdit && (
            <Button size="s" icon={<Plus size={16} aria-hidden="true" />} onClick={() => goTo(`/terms/${NEW}`)}>
              {t('markets.add_terms')}
            </Button>
          )}
        </>
      }
      empty={t('markets.terms_none')}
      detail={
        id === NEW ? (
          <NewTerms onClose={close} onAdded={close} />
        ) : id === GENERAL ? (
          <GeneralTerms onClose={close} />
        ) : (
          id !== undefined && <TermsDetail key={id} id={id} onClose={close} />
        )
      }
    >
      <QuickAmounts />
    </ListPage>
  )
}

const COLUMNS: readonly Column<TradeTermsRow>[] = [
  {
    id: 'length',
    head: t('markets.length'),
    cell: (row) => <span className="num font-list">{durationText(row.seconds)}</span>,
  },
  {
    id: 'payout',
    head: t('markets.payout'),
    end: true,
    cell: (row) => <span className="num font-list">{payoutText(row)}</span>,
  },
  {
    id: 'stakes',
    head: t('markets.stakes'),
    end: true,
    from: 'md',
    cell: (row) => <span className="num">{stakesText(row)}</span>,
  },
  {
    id: 'state',
    head: t('common.state'),
    cell: (row) => (
      <OutcomePill outcome={row.is_offered ? 'success' : 'cancelled'}>
        {t(row.is_offered ? 'markets.is_offered' : 'markets.not_offered')}
      </OutcomePill>
    ),
  },
]
