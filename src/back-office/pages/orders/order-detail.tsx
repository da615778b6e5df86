import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Link } from '#ui/link.tsx'
import type { StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { money, price, time } from '#back-office/i18n/format.ts'
import { OrderState } from '#back-office/pages/orders/order-state.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { voidReason } from '#back-office/i18n/plain-words.ts'
import { sourceName } from '#back-office/i18n/source-mark.ts'
import { t } from '#back-office/i18n/t.ts'
import { durationText } from '#back-office/terms/duration-text.ts'

type Order = StaffReply<typeof staffCalls.staffOrder>

/** One order with the ticks that decided it. The page has no actions, because no call can change an order. */
export function OrderDetail({ trx, onClose }: { trx: string; onClose: () => void }) {
  const order = useStaffQuery(staffCalls.staffOrder, { params: { trx } })
  return (
    <DetailPane
      title={<span className="mono">{trx}</span>}
      subtitle={order.data && t('orders.opened_at', { time: time(order.data.opened_at) })}
      query={order}
      onClose={onClose}
    >
      {order.data && <OrderFacts order={order.data} />}
    </DetailPane>
  )
}

function OrderFacts({ order }: { order: Order }) {
  const maySeeLedger = useMay('ledger.see')
  return (
    <>
      <div className="flex items-center justify-between pb-5">
        <span>
          <b className="block text-heading">{order.username}</b>
          <OrderState state={order.state} />
        </span>
        <span className="num text-end">
          <b className="block text-title">{order.result === null ? money(order.stake) : money(order.result)}</b>
          <span className="text-caption text-fg-3">{t(order.result === null ? 'orders.at_stake' : 'orders.net')}</span>
        </span>
      </div>
      <Block title={t('orders.terms')}>
        <Facts>
          <Fact name={t('orders.symbol')}>{order.symbol}</Fact>
          <Fact name={t('orders.direction')}>{t(`orders.${order.direction}`)}</Fact>
          <Fact name={t('orders.stake')}>{money(order.stake)}</Fact>
          <Fact name={t('orders.payout')}>{`${order.payout_percent}%`}</Fact>
          <Fact name={t('orders.duration')}>{durationText(order.seconds)}</Fact>
          <Fact name={t('orders.rules')}>{order.rule_version}</Fact>
        </Facts>
      </Block>
      <Block title={t('orders.decided_by')}>
        <ol className="flex flex-col gap-2">
          <TickLine
            name={t('orders.entry')}
            tick={order.entry}
            decimals={order.decimals}
            source={sourceName(order.source)}
          />
          <li className="flex items-center gap-2 text-caption text-fg-3">
            <span className="h-px flex-1 bg-line-strong" />
            {t('orders.expires', { time: time(order.expires_at) })}
            <span className="h-px flex-1 bg-line-strong" />
          </li>
          {order.exit && <TickLine name={t('orders.exit')} tick={order.exit} decimals={order.decimals} />}
          {order.next && <TickLine name={t('orders.next')} tick={order.next} decimals={order.decimals} />}
        </ol>
        {order.void_reason !== null && (
          <p className="pt-2 text-fg-2">{t('orders.void_because', { reason: voidReason(order.void_reason) })}</p>
        )}
        {order.state === 'open' && <p className="pt-2 text-fg-2">{t('orders.runs')}</p>}
      </Block>
      <Block title={t('orders.settlement')}>
        <Facts>
          {order.decided_at !== null && <Fact name={t('orders.decided')}>{time(order.decided_at)}</Fact>}
          {order.settled_at !== null && <Fact name={t('orders.settled')}>{time(order.settled_at)}</Fact>}
          {order.balance_after !== null && <Fact name={t('orders.balance_after')}>{money(order.balance_after)}</Fact>}
          <Fact name={t('orders.client_id')}>
            <span className="mono break-all">{order.client_order_id}</span>
          </Fact>
        </Facts>
        <p className="pt-2">
          <Link href={`/check/${order.trx}`} external className="font-semibold text-brand hover:underline">
            {t('orders.check')}
          </Link>
        </p>
        {maySeeLedger && (
          <p className="pt-2">
            <Link
              href={`/admin/ledger/${order.user_id}/${order.id}`}
              className="font-semibold text-brand hover:underline"
            >
              {t('orders.see_transfers')}
            </Link>
          </p>
        )}
      </Block>
    </>
  )
}

interface TickLineProps {
  name: string
  tick: Order['entry']
  decimals: number
  source?: string
}

function TickLine({ name, tick, decimals, source }: TickLineProps) {
  return (
    <li className="flex justify-between gap-3 rounded-field bg-surface-2 px-3 py-2">
      <span>
        <b className="block font-semibold">{name}</b>
        <span className="num text-caption text-fg-3">
          {t('orders.tick_place', { place: tick.q })}
          {source !== undefined && ` · ${source}`}
        </span>
      </span>
      <span className="num text-end">
        <b className="block font-semibold">{price(tick.price, decimals)}</b>
        <span className="text-caption text-fg-3">{exactTime(tick.at)}</span>
      </span>
    </li>
  )
}

/** Formats the time of a tick to the millisecond: "11:19:44.312". */
function exactTime(iso: string): string {
  return iso.slice(11, 23)
}
