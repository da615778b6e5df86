import Plus from 'lucide-react/icons/plus'
import { useNavigate, useParams } from 'react-router'
import type { GatewayKind, GatewayRow } from '#contract/back-office/gateways.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { ButtonLink } from '#ui/button.tsx'
import { OutcomePill, Pill } from '#ui/pill.tsx'
import { amount } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { ListPage } from '#back-office/list/list-page.tsx'
import { useFilters } from '#back-office/list/use-filters.ts'
import { GatewayMark } from '#ui/gateway-mark.tsx'
import { GatewayPage } from '#back-office/pages/gateways/gateway-page.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

const KINDS: readonly GatewayKind[] = ['deposit', 'withdraw']

/**
 * The gateways for deposits and the methods for withdrawals. Each gateway or method opens on its own page, and so does
 * a new one.
 */
export function GatewaysPage() {
  const { id } = useParams()
  const [filters, setFilter] = useFilters(['kind'])
  const kind = KINDS.find((one) => one === filters.kind) ?? 'deposit'
  if (id !== undefined) return <GatewayPage key={id} id={id === 'new' ? null : id} kind={kind} />
  return <GatewayList kind={kind} onKind={(next) => setFilter('kind', next)} />
}

function GatewayList({ kind, onKind }: { kind: GatewayKind; onKind: (kind: GatewayKind) => void }) {
  const navigate = useNavigate()
  const mayEdit = useMay('gateways.edit')
  return (
    <ListPage
      title={t('nav.gateways')}
      call={staffCalls.staffGateways}
      filters={{ kind }}
      columns={COLUMNS}
      keyOf={(row) => String(row.id)}
      onOpen={(row) => void navigate(`/gateways/${row.id}?kind=${row.kind}`)}
      empty={t(`gateways.none_${kind}`)}
      actions={
        mayEdit && (
          <ButtonLink href={`/gateways/new?kind=${kind}`} size="s" icon={<Plus size={16} aria-hidden="true" />}>
            {t(`gateways.new_${kind}`)}
          </ButtonLink>
        )
      }
      tabs={{
        id: 'gateways',
        label: t('gateways.tabs'),
        tabs: KINDS.map((value) => ({ value, label: t(`gateways.${value}`) })),
        value: kind,
        onChange: (value) => onKind(KINDS.find((one) => one === value) ?? 'deposit'),
      }}
    />
  )
}

const COLUMNS: readonly Column<GatewayRow>[] = [
  {
    id: 'name',
    head: t('gateways.name'),
    cell: ({ name, image, fields }) => (
      <span className="flex items-center gap-3">
        <GatewayMark name={name} image={image} />
        <span className="min-w-0">
          <span className="block truncate font-list">{name}</span>
          <span className="block text-caption text-fg-3">{t('gateways.fields', { count: fields })}</span>
        </span>
      </span>
    ),
  },
  {
    id: 'limits',
    head: t('gateways.limits'),
    end: true,
    from: 'md',
    cell: (row) => (
      <span className="num">
        {amount(row.min_amount)} – {amount(row.max_amount)} {row.kind === 'deposit' ? row.currency : BASE_CURRENCY}
      </span>
    ),
  },
  {
    id: 'charge',
    head: t('gateways.charge'),
    end: true,
    from: 'md',
    cell: (row) => <span className="num">{chargeText(row)}</span>,
  },
  {
    id: 'rate',
    head: t('gateways.rate'),
    end: true,
    from: 'lg',
    cell: (row) => (
      <span className="num">{row.is_live_rate ? t('gateways.live_rate') : `1 ${row.currency} = ${row.rate}`}</span>
    ),
  },
  {
    id: 'sort',
    head: t('gateways.order'),
    end: true,
    from: 'lg',
    cell: ({ sort }) => <span className="num">{sort}</span>,
  },
  {
    id: 'state',
    head: t('common.state'),
    cell: (row) =>
      row.is_offered ? (
        <span className="flex flex-wrap gap-1">
          <OutcomePill outcome="success">{t('gateways.on')}</OutcomePill>
          {row.is_automatic && <Pill tone="brand">{t('gateways.automatic')}</Pill>}
        </span>
      ) : (
        <OutcomePill outcome="cancelled">{t('gateways.off')}</OutcomePill>
      ),
  },
]

/** Formats the charge: "1% + 1.50". */
function chargeText({ percent_charge: percent, fixed_charge: fixed }: GatewayRow): string {
  const parts = [...(percent > 0 ? [`${percent}%`] : []), ...(fixed > 0 ? [amount(fixed)] : [])]
  return parts.join(' + ') || t('gateways.no_charge')
}
