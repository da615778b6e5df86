import { useState } from 'react'
import { useNavigate } from 'react-router'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { UserOrderRow } from '#contract/back-office/users.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { money, time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { PartList } from '#back-office/list/part-list.tsx'
import { t } from '#back-office/i18n/t.ts'

const STATES = ['open', 'settled'] as const

/** The orders of a user, read-only. */
export function UserOrders({ userId }: { userId: string }) {
  const navigate = useNavigate()
  const [state, setState] = useState<(typeof STATES)[number]>('open')
  return (
    <PartList
      title={t('users.tab_orders')}
      call={staffCalls.staffUserOrders}
      params={{ id: userId }}
      filters={{ state }}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      onOpen={({ trx }) => void navigate(`/orders/${trx}`)}
      empty={t(`users.orders_none_${state}`)}
    >
      <Segmented
        label={t('users.orders_which')}
        options={STATES.map((value) => ({ value, label: t(`users.orders_${value}`) }))}
        value={state}
        onChange={setState}
        compact
        className="w-52"
      />
    </PartList>
  )
}

const OUTCOMES = { 0: 'pending', 1: 'won', 2: 'lost', 3: 'draw', 5: 'sold' } as const

const COLUMNS: readonly Column<UserOrderRow>[] = [
  {
    id: 'order',
    head: t('users.order'),
    cell: ({ symbol, direction, trx }) => (
      <span>
        <span className="block font-list">
          {t(direction === 1 ? 'users.buy' : 'users.sell')} {symbol}
        </span>
        <span className="mono block text-fg-3">{trx}</span>
      </span>
    ),
  },
  {
    id: 'stake',
    head: t('users.stake'),
    end: true,
    cell: ({ stake, payout }) => (
      <span className="num">
        <span className="block font-list">{money(stake)}</span>
        <span className="block text-caption text-fg-3">{t('users.payout', { percent: payout })}</span>
      </span>
    ),
  },
  {
    id: 'entry',
    head: t('users.entry'),
    end: true,
    from: 'md',
    cell: ({ entry, opened_at: at }) => (
      <span className="num">
        <span className="block">{entry}</span>
        <span className="block text-caption text-fg-3">{time(at)}</span>
      </span>
    ),
  },
  {
    id: 'exit',
    head: t('users.exit'),
    end: true,
    from: 'md',
    cell: ({ exit, expires_at: at }) => (
      <span className="num">
        <span className="block">{exit ?? '–'}</span>
        <span className="block text-caption text-fg-3">{time(at)}</span>
      </span>
    ),
  },
  {
    id: 'result',
    head: t('users.result'),
    cell: ({ result, result_amount: won, void_reason: voided }) => (
      <span className="inline-flex items-center gap-2">
        <OutcomePill outcome={voided === null ? OUTCOMES[result] : 'void'}>
          {voided === null ? t(`users.result_${result}`) : t('users.void')}
        </OutcomePill>
        {won !== null && <span className="num">{`${won > 0 ? '+' : ''}${money(won)}`}</span>}
      </span>
    ),
  },
]
