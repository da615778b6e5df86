import { useEffect, useRef, useState } from 'react'
import { PRACTICE_START, type AccountName } from '#core/accounts/practice.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { cx } from '#ui/cx.ts'
import { newId } from '#ui/new-id.ts'
import { Segmented } from '#ui/segmented.tsx'
import { failureText } from '#web/api/call-failure.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { chooseAccount, useAccount } from '#web/session/account.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { useSession } from '#web/session/session.ts'
import { loadPractice, openPractice, resetPractice, usePracticeAccount } from '#web/site/practice-account.ts'

interface AccountSwitchProps {
  /** Whether the user can reset the practice account here. */
  hasReset?: boolean | undefined
  className?: string | undefined
}

/** The switch whose last press removed itself with the old screen. The switch of the new screen takes the focus. */
let removed: object | null = null

/**
 * The choice between the live and the practice account, each with its balance. The first choice of practice opens the
 * practice account.
 */
export function AccountSwitch({ hasReset = false, className }: AccountSwitchProps) {
  const account = useAccount()
  const live = useSession()?.user.balance ?? 0
  const practice = usePracticeAccount()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const box = useFocusAfterChange(account)
  useEffect(() => {
    void loadPractice()
  }, [])

  async function choose(next: AccountName): Promise<void> {
    setFailure(null)
    if (next === 'practice' && practice?.exists !== true) {
      setIsBusy(true)
      try {
        await openPractice()
      } catch (error) {
        setFailure(failureText(error))
        return
      } finally {
        setIsBusy(false)
      }
    }
    removed = box.current
    chooseAccount(next)
  }

  const balances: Record<AccountName, string> = {
    live: ownMoney(moneyOf(live), { account: 'live' }),
    practice: practice?.exists === true ? ownMoney(moneyOf(practice.balance), { account: 'practice' }) : '–',
  }
  const option = (value: AccountName) => ({
    value,
    disabled: isBusy,
    label: (
      <span className="flex flex-wrap justify-center gap-x-1.5 py-1 leading-4">
        {t(`shell.${value}`)}{' '}
        <span dir="ltr" className="num">
          {balances[value]}
        </span>
      </span>
    ),
  })
  return (
    <div ref={box} className={cx('flex flex-col gap-2', className)}>
      <Segmented
        label={t('shell.practice_choice')}
        options={[option('live'), option('practice')]}
        value={account}
        onChange={(next) => void choose(next)}
      />
      {failure !== null && <Alert tone="danger">{failure}</Alert>}
      {hasReset && account === 'practice' && <Reset />}
    </div>
  )
}

/** Sets the practice balance back to its start, or shows why that is not possible now. */
function Reset() {
  const [requestId, setRequestId] = useState(newId)
  const [state, setState] = useState<'busy' | 'done' | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const amount = ownMoney(PRACTICE_START, { account: 'practice' })

  async function reset(): Promise<void> {
    setState('busy')
    setFailure(null)
    try {
      await resetPractice(requestId)
      setRequestId(newId())
      setState('done')
    } catch (error) {
      // A repeat keeps the id, because the reset may have happened without a reply.
      setState(null)
      setFailure(failureText(error))
    }
  }

  return (
    <>
      <Button variant="quiet" size="s" loading={state === 'busy'} onClick={() => void reset()}>
        <span>{spoken(t('shell.practice_reset', { amount }))}</span>
      </Button>
      {failure !== null && <Alert tone="danger">{failure}</Alert>}
      <output className="text-label text-fg-2 empty:hidden">
        {state === 'done' ? spoken(t('shell.practice_reset_done', { amount })) : null}
      </output>
    </>
  )
}

/**
 * Keeps the focus on the chosen account: a change replaces the trade screen, and with it the switch that was pressed.
 */
function useFocusAfterChange(account: AccountName) {
  const box = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a switch that stays must forget its press
  useEffect(() => {
    const isReplaced = removed !== null && removed !== box.current
    removed = null
    if (isReplaced) box.current?.querySelector<HTMLInputElement>('input:checked')?.focus({ preventScroll: true })
  }, [account])
  return box
}
