import { type ReactNode, useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { cx } from '#ui/cx.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { Block } from '#back-office/detail/facts.tsx'
import { money } from '#back-office/i18n/format.ts'
import { LimitsSheet } from '#back-office/pages/users/limits-sheet.tsx'
import { MeasureEnd, type UserMeasure } from '#back-office/pages/users/measure-end.tsx'
import { ReasonSheet } from '#back-office/pages/users/reason-sheet.tsx'
import type { UserData } from '#back-office/pages/users/user-data.ts'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

type Measure = UserData['measures'][number]
type Opened = 'trading' | 'sign_in' | 'verified' | 'limits' | null

/** The permissions of a user, each with a button to change it. */
export function UserPermissions({ user }: { user: UserData }) {
  const [opened, setOpened] = useState<Opened>(null)
  const mayManage = useMay('users.manage')
  const mayLimit = useMay('users.limit')
  const close = () => setOpened(null)
  const { limits } = user
  const params = { id: user.id }
  const measureOf = (kind: Measure['kind']): UserMeasure | undefined => {
    const measure = user.measures.find((one) => one.kind === kind)
    return measure && { ...measure, userId: user.id }
  }
  const setTrading = useStaffChange(staffCalls.staffSetTradingAllowed)
  const setSignIn = useStaffChange(staffCalls.staffSetLogInAllowed)
  const setVerified = useStaffChange(staffCalls.staffSetVerified)
  const change = (what: Exclude<Opened, null>, label: string, tone: 'danger' | 'secondary') => (
    <Button variant={tone} size="s" onClick={() => setOpened(what)}>
      {label}
    </Button>
  )
  return (
    <Card>
      <Block title={t('users.may')}>
        <Line
          name={t('users.trading')}
          state={t(user.trading ? 'users.allowed' : 'users.off')}
          isOff={!user.trading}
          note={user.trading ? null : t('users.reads', { reason: user.trading_reason })}
          measure={measureOf('trade_off')}
          action={
            mayManage &&
            (user.trading
              ? change('trading', t('users.trading_turn_off'), 'danger')
              : change('trading', t('users.trading_turn_on'), 'secondary'))
          }
        />
        <Line
          name={t('users.sign_in')}
          state={t(user.may_sign_in ? 'users.allowed' : 'users.blocked')}
          isOff={!user.may_sign_in}
          note={user.may_sign_in ? null : t('users.reads', { reason: user.sign_in_reason })}
          measure={measureOf('sign_in_off')}
          action={
            mayManage &&
            (user.may_sign_in
              ? change('sign_in', t('users.block'), 'danger')
              : change('sign_in', t('users.unblock'), 'secondary'))
          }
        />
        <Line
          name={t('users.verified')}
          state={t(user.verified ? 'users.yes' : 'users.no')}
          isOff={!user.verified}
          note={user.verification_reason === '' ? null : t('users.reads', { reason: user.verification_reason })}
          action={
            mayManage &&
            (user.verified
              ? change('verified', t('users.unverify'), 'danger')
              : change('verified', t('users.verify'), 'secondary'))
          }
        />
      </Block>
      <Block title={t('users.limits')}>
        <Line
          name={t('users.withdraw')}
          state={t(limits.withdrawals ? 'users.allowed' : 'users.off')}
          isOff={!limits.withdrawals}
          note={limits.withdrawals ? null : t('users.reads', { reason: limits.withdrawals_reason })}
          measure={measureOf('withdrawals_off')}
        />
        <Line
          name={t('users.max_stake')}
          state={limitText(limits.max_stake)}
          isOff={limits.max_stake !== null}
          note={readsText(measureOf('stake_limit'))}
          measure={measureOf('stake_limit')}
        />
        <Line
          name={t('users.max_open_stake')}
          state={limitText(limits.max_open_stake)}
          isOff={limits.max_open_stake !== null}
          note={readsText(measureOf('open_limit'))}
          measure={measureOf('open_limit')}
        />
      </Block>
      {mayLimit && change('limits', t('users.limits_change'), 'secondary')}

      <ReasonSheet
        open={opened === 'trading'}
        onClose={close}
        title={t(user.trading ? 'users.trading_turn_off' : 'users.trading_turn_on')}
        text={t(user.trading ? 'users.trading_off_text' : 'users.trading_on_text')}
        isReadByUser={user.trading}
        isDanger={user.trading}
        user={user}
        send={(given) => setTrading.mutateAsync({ params, body: { ...given, on: !user.trading } })}
      />
      <ReasonSheet
        open={opened === 'sign_in'}
        onClose={close}
        title={t(user.may_sign_in ? 'users.block' : 'users.unblock')}
        text={t(user.may_sign_in ? 'users.block_text' : 'users.unblock_text')}
        isReadByUser={user.may_sign_in}
        isDanger={user.may_sign_in}
        user={user}
        send={(given) => setSignIn.mutateAsync({ params, body: { ...given, allowed: !user.may_sign_in } })}
      />
      <ReasonSheet
        open={opened === 'verified'}
        onClose={close}
        title={t(user.verified ? 'users.unverify' : 'users.verify')}
        text={t(user.verified ? 'users.unverify_text' : 'users.verify_text')}
        isReadByUser={user.verified}
        isDanger={user.verified}
        user={user}
        send={(given) => setVerified.mutateAsync({ params, body: { ...given, verified: !user.verified } })}
      />
      <LimitsSheet open={opened === 'limits'} onClose={close} user={user} />
    </Card>
  )
}

interface LineProps {
  name: string
  state: string
  /** An unusual state, shown as a warning. */
  isOff: boolean
  note?: string | null
  measure?: UserMeasure | undefined
  action?: ReactNode
}

function Line({ name, state, isOff, note = null, measure, action }: LineProps) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 last:border-b-0">
      <span className="min-w-0 flex-1 basis-40">
        <span className="block">
          <span className="text-fg-2">{name}: </span>
          <b className={cx('font-semibold', isOff && 'text-warn')}>{state}</b>
        </span>
        {note !== null && <span className="block text-caption break-words text-fg-2">{note}</span>}
        {measure && <MeasureEnd measure={measure} />}
      </span>
      {action}
    </div>
  )
}

function limitText(limit: number | null): string {
  return limit === null ? t('users.no_own_limit') : money(limit)
}

function readsText(measure: Measure | undefined): string | null {
  return measure === undefined ? null : t('users.reads', { reason: measure.reason })
}
