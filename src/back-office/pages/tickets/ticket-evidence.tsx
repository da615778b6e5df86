import type { OrderEvidence, PaymentEvidence } from '#contract/back-office/tickets.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Link } from '#ui/link.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import { SkeletonRows } from '#ui/states.tsx'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { money, price, time } from '#back-office/i18n/format.ts'
import { voidReason } from '#back-office/i18n/plain-words.ts'
import { t } from '#back-office/i18n/t.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'

/**
 * The facts about the order or payment that a ticket concerns. A separate call loads them, because the check of an
 * order can take seconds.
 */
export function TicketEvidence({ no }: { no: string }) {
  const query = useStaffQuery(staffCalls.staffTicketEvidence, { params: { no } })
  const { order, payment } = query.data ?? { order: null, payment: null }
  return (
    <>
      {query.isPending && (
        <Block title={t('tickets.evidence')}>
          <SkeletonRows count={3} />
        </Block>
      )}
      {query.isError && query.data === undefined && <LoadFailure query={query} />}
      {order && <OrderFacts order={order} />}
      {payment && <PaymentFacts payment={payment} />}
    </>
  )
}

const OUTCOME = {
  open: 'pending',
  won: 'won',
  lost: 'lost',
  draw: 'draw',
  void: 'void',
  sold: 'sold',
} as const

function OrderFacts({ order }: { order: OrderEvidence }) {
  const { check, delays, decimals, entry, exit } = order
  return (
    <>
      <Block title={t('tickets.evidence')}>
        <Alert tone={check.outcome === 'differs' ? 'danger' : check.outcome === 'matches' ? 'success' : 'info'}>
          {t(`tickets.check_${check.outcome}`)}
        </Alert>
        <Facts>
          <Fact name={t('orders.result')}>
            <OutcomePill outcome={OUTCOME[order.state]}>{t(`orders.${order.state}`)}</OutcomePill>
          </Fact>
          {check.recomputed !== null && order.state !== 'void' && (
            <Fact name={t('tickets.recomputed')}>{t(`tickets.recomputed_${check.recomputed}`)}</Fact>
          )}
          {check.faults.length > 0 && <Fact name={t('tickets.faults')}>{check.faults.length}</Fact>}
          <Fact name={order.symbol}>{`${t(`orders.${order.direction}`)}, ${money(order.stake)}`}</Fact>
          <Fact name={t('tickets.delay_entry')}>{t('tickets.milliseconds', { ms: delays.entry_ms })}</Fact>
          {delays.decided_ms !== null && (
            <Fact name={t('tickets.delay_decided')}>{t('tickets.milliseconds', { ms: delays.decided_ms })}</Fact>
          )}
          {delays.settled_ms !== null && (
            <Fact name={t('tickets.delay_settled')}>{t('tickets.milliseconds', { ms: delays.settled_ms })}</Fact>
          )}
        </Facts>
        {order.void_reason !== null && (
          <p className="pt-1 text-fg-2">{t('orders.void_because', { reason: voidReason(order.void_reason) })}</p>
        )}
        <Link href={`/check/${order.trx}`} external className="font-semibold text-brand hover:underline">
          {t('orders.check')}
        </Link>
      </Block>
      <Ticks
        title={t('tickets.around_entry')}
        ticks={order.entry_ticks}
        decimals={decimals}
        mark={{ q: entry.q, text: t('tickets.is_entry') }}
      />
      <Ticks
        title={t('tickets.around_expiry')}
        ticks={order.expiry_ticks}
        decimals={decimals}
        mark={exit && { q: exit.q, text: t('tickets.is_exit') }}
      />
      <Block title={t('tickets.incidents')}>
        {order.incidents.length === 0 && <p className="text-fg-2">{t('tickets.no_incidents')}</p>}
        <Facts>
          {order.incidents.map(({ kind, from, to }) => (
            <Fact key={`${kind} ${from}`} name={t(`tickets.incident_${kind}`)}>
              {`${time(from)} – ${to === null ? t('tickets.ongoing') : time(to)}`}
            </Fact>
          ))}
        </Facts>
      </Block>
    </>
  )
}

interface TicksProps {
  title: string
  ticks: OrderEvidence['entry_ticks']
  decimals: number
  /** The sequence number of the tick that decides, with the text that marks it; null for none. */
  mark: { q: number; text: string } | null
}

function Ticks({ title, ticks, decimals, mark }: TicksProps) {
  if (ticks.length === 0) return null
  return (
    <Block title={title}>
      <ol className="flex flex-col">
        {ticks.map(({ q, price: value, at }) => (
          <li
            key={q}
            className={`num flex justify-between gap-3 rounded-small px-2 py-1 ${q === mark?.q ? 'bg-brand-tint font-semibold' : ''}`}
          >
            <span>
              {at.slice(11, 23)} {q === mark?.q && mark.text}
            </span>
            <span>{price(value, decimals)}</span>
          </li>
        ))}
      </ol>
    </Block>
  )
}

function PaymentFacts({ payment }: { payment: PaymentEvidence }) {
  return (
    <Block title={t('tickets.timeline')}>
      <Facts>
        <Fact name={payment.method}>{money(payment.amount)}</Fact>
        {payment.reference !== null && (
          <Fact name={t('withdrawals.reference')}>
            <span className="mono break-all">{payment.reference}</span>
          </Fact>
        )}
      </Facts>
      <ol className="flex flex-col gap-1">
        {payment.steps.map(({ step, at, who, words }, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- steps are only added, and one step can be taken twice
          <li key={place}>
            <p className="flex flex-wrap justify-between gap-x-3">
              <span>{step === 'credited' ? t('tickets.step_credited') : t(`withdrawals.step_${step}`)}</span>
              <span className="num text-fg-3">
                {who === '' ? time(at) : t('tickets.step_by', { time: time(at), who })}
              </span>
            </p>
            {words !== '' && (
              <p dir="auto" className="text-caption break-words text-fg-2">
                {words}
              </p>
            )}
          </li>
        ))}
      </ol>
    </Block>
  )
}
