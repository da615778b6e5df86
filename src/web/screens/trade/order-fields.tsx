import Info from 'lucide-react/icons/info'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { MarketList, TradeSettingOut } from '#contract/markets.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, money, moneyText } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import { Alert } from '#ui/alert.tsx'
import { AmountField } from '#ui/amount-field.tsx'
import { Button } from '#ui/button.tsx'
import { Chips } from '#ui/chips.tsx'
import { formatRate } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { termsNoticeText } from '#ui/terms-text.ts'
import { DirectionArrow } from '#ui/triangle.tsx'
import { amountFlawText } from '#web/forms/typed-amount.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { weekdayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { useAccount } from '#web/session/account.ts'
import { ownCurrency, ownMoney, ownShortMoney, spoken } from '#web/session/own-money.tsx'
import { type Room, roomText, withFreesAt } from '#web/limits/limit-text.ts'
import { balanceShares } from '#web/options/options.ts'
import { BalanceShares } from '#web/screens/trade/balance-shares.tsx'
import { chooseExpiry, type OrderForm, type OrderView } from '#web/screens/trade/order-form.ts'
import { VALID_FOR_MS } from '#web/live/order-client.ts'
import { lengthText } from '#web/receipts/order-text.ts'
import { actionText } from '#web/screens/trade/action-text.ts'
import { StakeLimits } from '#web/screens/trade/stake-limits.tsx'
import { useDepositsAreOpen } from '#web/site/settings.ts'

export interface OrderFieldsProps {
  form: OrderForm
  view: OrderView
  list: MarketList
  balance: Money
  /** The amount that the user's own limits still allow; null without such limits. */
  room?: Room | null
  /** How the filled-in terms differ from those of a former order. */
  note?: string | null
  /** The server's refusal, or why orders are no longer possible since the form was opened. */
  error: string | null
  isSubmitting: boolean
  /** Whether the reply is overdue, and the client is looking up the order. */
  isUnknown: boolean
  /** Whether the connection is lost, so that nothing can be sent. */
  isOffline: boolean
  /** Cancels the order that waits for the connection. Null without such an order. */
  onCancel: (() => void) | null
  onChange: (form: OrderForm) => void
  onSubmit: () => void
  /** Whether the source of the symbol has a public history of its trades. */
  hasRecord: boolean
  /** True in the pane of the desktop, which has room for the meter. */
  isPane?: boolean
}

/** The order form: expiry, stake, possible profit and loss, submit. */
export function OrderFields(props: OrderFieldsProps) {
  const { form, view, list, balance, error, isSubmitting, isUnknown, onChange, onSubmit, isPane = false } = props
  const { isOffline, onCancel, room = null, note = null } = props
  const { setting, stake } = view
  const offersShares = balanceShares.use() === 'on'
  const isLive = useAccount() === 'live'

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (view.maySubmit) onSubmit()
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-3.5 short:gap-2">
      {onCancel !== null ? (
        <Alert tone="warn">{t('trade.unsent', { seconds: VALID_FOR_MS / SECOND_MS })}</Alert>
      ) : isOffline && !isSubmitting ? (
        <Alert tone="warn" title={t('trade.offline')}>
          {t('trade.offline_detail')}
        </Alert>
      ) : isUnknown ? (
        <Alert tone="warn" title={t('trade.unknown')}>
          {t('trade.unknown_text')}
        </Alert>
      ) : (
        error !== null && <Alert tone="danger">{error}</Alert>
      )}
      <div>
        <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-3 text-label">
          <span className="font-semibold text-fg-2">{t('trade.expiry')}</span>
          <span className="text-fg-3">{t('trade.payout_on_stake')}</span>
        </div>
        <Chips
          look="tall"
          label={t('trade.expiry')}
          value={form.settingId}
          onChange={(id) => {
            const chosen = list.trade_settings.find((one) => one.id === id)
            if (chosen) onChange(chooseExpiry(form, chosen))
          }}
          options={list.trade_settings.map((one) => ({
            value: one.id,
            label: lengthText(one.time),
            detail: view.closesFirst.has(one.id) ? t('trade.closes_first') : `${one.profit_percentage}%`,
            disabled: view.closesFirst.has(one.id) || isSubmitting,
          }))}
        />
        {setting !== null && setting.changes.length > 0 && <TermsNotices changes={setting.changes} />}
        {!props.hasRecord && <p className="mt-1.5 text-label text-fg-2">{t('trade.no_record')}</p>}
      </div>
      <div className="flex flex-col gap-1.5">
        <AmountField
          label={t('trade.stake')}
          aside={
            <>
              {t('trade.balance')}{' '}
              <b dir="ltr" className="num font-semibold text-fg">
                {spoken(ownMoney(balance))}
              </b>
            </>
          }
          value={form.amount}
          onChange={(amount) => onChange({ ...form, amount })}
          currency={ownCurrency()}
          limit={setting && spoken(t('trade.minimum', { amount: ownMoney(moneyOf(setting.min_amount)) }))}
          hint={room === null || view.problem === 'own_limit' ? undefined : <RoomLine room={room} />}
          error={spokenProblem(view, room)}
          disabled={isSubmitting}
        />
        {note !== null && <output className="block text-label text-fg-2">{spoken(note)}</output>}
        {isLive && <StakeLimits />}
        {isLive && view.problem === 'insufficient' && <DepositLink />}
        <Chips
          look="filled"
          label={t('trade.quick_amounts')}
          value={stake === null ? null : moneyText(stake)}
          onChange={(amount) => onChange({ ...form, amount })}
          options={list.prices.map(({ amount }) => ({
            value: moneyText(moneyOf(amount)),
            label: spoken(ownShortMoney(moneyOf(amount))),
            disabled: isSubmitting || moneyOf(amount) > balance,
          }))}
        />
        {offersShares && setting !== null && (
          <BalanceShares
            balance={balance}
            setting={setting}
            stake={stake}
            isDisabled={isSubmitting}
            onChange={(amount) => onChange({ ...form, amount })}
          />
        )}
      </div>
      {isPane ? <PaneTotals view={view} /> : <TotalsStrip view={view} />}
      <div className="sticky bottom-0 z-1 -mx-1 bg-surface px-1 py-2 -my-2">
        <Button
          type="submit"
          variant={form.direction === BUY ? 'buy' : 'sell'}
          disabled={!view.maySubmit && !isSubmitting}
          loading={isSubmitting}
          loadingLabel={isUnknown ? t('trade.unknown') : t('trade.sending')}
          icon={<DirectionArrow direction={form.direction === BUY ? 'up' : 'down'} />}
        >
          <span className="tabular-nums">
            {spoken(
              t('trade.submit', {
                direction: actionText(form.direction),
                amount: stake === null ? '–' : ownMoney(stake),
                expiry: setting ? lengthText(setting.time) : '–',
              }),
            )}
          </span>
        </Button>
        {onCancel !== null && (
          <Button variant="secondary" onClick={onCancel} className="mt-2">
            {t('trade.cancel')}
          </Button>
        )}
      </div>
      {/* Not pinned with the button: in low windows, the stake needs the room. */}
      <p className="-mt-1.5 text-center text-caption text-fg-3">{t('trade.entry_note')}</p>
    </form>
  )
}

/** The amount that own limits still allow, with a link to the limits. */
function RoomLine({ room }: { room: Room }) {
  return (
    <Link href="/account/limits" className="hit underline-offset-4 hover:underline">
      {roomText(room)}
    </Link>
  )
}

/** A link to deposit for users with insufficient balance, if the site accepts deposits. */
function DepositLink() {
  const depositsAreOpen = useDepositsAreOpen()
  if (!depositsAreOpen) return null
  return (
    <Link
      href="/deposit"
      className="hit self-start text-label font-semibold text-brand underline-offset-4 hover:underline"
    >
      {t('shell.deposit')}
    </Link>
  )
}

/** All announced changes of the chosen duration, for all users' new orders. */
function TermsNotices({ changes }: { changes: TradeSettingOut['changes'] }) {
  return (
    <output className="mt-1.5 flex flex-col text-caption text-fg-2">
      {changes.map((change) => (
        <span key={`${change.what} ${change.applies_at}`}>
          {termsNoticeText(change, weekdayAndTimeText(change.applies_at), t)}
        </span>
      ))}
    </output>
  )
}

function spokenProblem(view: OrderView, room: Room | null): ReactNode {
  const text = problemText(view, room)
  return text === undefined ? undefined : spoken(text)
}

/** Returns why the amount cannot be sent, shown beside the field immediately. */
function problemText({ problem, flaw, setting }: OrderView, room: Room | null): string | undefined {
  if (problem === null) return undefined
  if (problem === 'own_limit') {
    if (room === null) return undefined
    const smallest = setting && moneyOf(setting.min_amount)
    if (smallest !== null && room.left < smallest)
      return withFreesAt(`${room.name}: ${t('limits.no_order', { min: ownMoney(smallest) })}`, room.freesAt)
    return withFreesAt(`${t('trade.above_maximum', { amount: ownMoney(room.left) })} · ${room.name}`, room.freesAt)
  }
  if (problem === 'unreadable') return flaw === null ? undefined : amountFlawText(flaw, BASE_CURRENCY)
  if (problem === 'insufficient') return t('trade.insufficient_balance')
  if (problem === 'missing') return t('trade.amount_missing')
  if (setting === null) return undefined
  return problem === 'below_minimum'
    ? t('trade.below_minimum', { amount: ownMoney(moneyOf(setting.min_amount)) })
    : t('trade.above_maximum', { amount: ownMoney(moneyOf(setting.max_amount)) })
}

function totalsOf({ profit, stake, breakEven }: OrderView) {
  return {
    right: profit === null ? '–' : spoken(ownMoney(profit, { plus: true })),
    wrong: stake === null ? '–' : spoken(ownMoney(money(-stake))),
    even: breakEven === null ? '–' : formatRate(breakEven),
  }
}

function TotalsStrip({ view }: { view: OrderView }) {
  const { right, wrong, even } = totalsOf(view)
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <div className="rounded-field bg-surface-2 py-2.5">
      <dl className="grid grid-cols-3 *:px-3.5 *:not-first:border-s *:not-first:border-line dark:*:border-surface-3">
        <Total label={t('trade.if_right')} value={right} className="text-up" />
        <Total label={t('trade.if_wrong')} value={wrong} />
        <div>
          <dt className="flex items-center gap-1 text-caption font-medium text-fg-3">
            {t('trade.break_even')}
            <button
              type="button"
              className="hit"
              aria-label={t('trade.about_break_even')}
              aria-expanded={isOpen}
              aria-controls={id}
              onClick={() => setIsOpen(!isOpen)}
            >
              <Info size={13} strokeWidth={1.75} aria-hidden="true" />
            </button>
          </dt>
          <dd dir="ltr" className="num text-body/[1.25rem] font-semibold">
            {even}
          </dd>
        </div>
      </dl>
      <output id={id} className="block px-3.5 text-caption text-fg-2 empty:hidden not-empty:pt-2">
        {isOpen ? t('trade.break_even_info', { rate: even }) : null}
      </output>
    </div>
  )
}

function Total({ label, value, className }: { label: string; value: ReactNode; className?: string }) {
  return (
    <div>
      <dt className="text-caption font-medium text-fg-3">{label}</dt>
      <dd className={`num text-body/[1.25rem] font-semibold ${className ?? ''}`}>{value}</dd>
    </div>
  )
}

function PaneTotals({ view }: { view: OrderView }) {
  const { right, wrong, even } = totalsOf(view)
  return (
    <div>
      <dl className="flex flex-col gap-2 text-small">
        <PaneTotal label={t('trade.if_right')} value={right} className="text-up" />
        <PaneTotal label={t('trade.if_wrong')} value={wrong} />
        <PaneTotal label={t('trade.break_even_rate')} value={even} />
      </dl>
      <div className="mt-2.5 h-1 rounded-full bg-surface-3" aria-hidden="true">
        <div
          className="h-full border-e-2 border-fg bg-brand"
          style={{ width: `${Math.round(view.breakEven ?? 0)}%` }}
        />
      </div>
      <p className="mt-2 text-caption text-fg-3">{t('trade.break_even_info', { rate: even })}</p>
    </div>
  )
}

function PaneTotal({ label, value, className }: { label: string; value: ReactNode; className?: string }) {
  return (
    <div className="flex justify-between">
      <dt className="text-fg-2">{label}</dt>
      <dd className={`num font-semibold ${className ?? ''}`}>{value}</dd>
    </div>
  )
}
