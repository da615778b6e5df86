import { useEffect, useId, useRef, useState } from 'react'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { formatMoney } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { withData } from '#web/api/query.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { durationText } from '#web/i18n/duration-text.ts'
import { t } from '#web/i18n/t.ts'
import { useOwnTrades } from '#web/live/use-own-trades.ts'
import { useServerSecond } from '#web/live/use-server-second.ts'
import { useGo } from '#web/session/navigation.ts'
import { type RealityCheck, setRealityCheck } from '#web/session/reality-check.ts'
import { useLogout } from '#web/shell/use-logout.ts'

/** The dialog does not cover the last 10 s of an order, but waits no longer than a minute. */
const LAST_SECONDS_MS = 10 * SECOND_MS
const MAX_WAIT_MS = MINUTE_MS

export const RealityDialog = withData(Check)

/** Shows time and result of the session. Orders are refused until the user has answered. */
function Check({ check }: { check: RealityCheck }) {
  const { running } = useOwnTrades()
  const now = useServerSecond()
  const [firstSeenAt] = useState(now)
  const isEnding = running.some(({ expiresAt }) => expiresAt - now <= LAST_SECONDS_MS)
  return isEnding && now - firstSeenAt < MAX_WAIT_MS ? null : <Dialog check={check} />
}

function Dialog({ check }: { check: RealityCheck }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  const go = useGo()
  const logout = useLogout()
  const [failure, setFailure] = useState('')
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    title.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const seen = async (then?: () => void) => {
    setFailure('')
    try {
      await call('POST /user/reality/seen', { body: { id: check.id } })
      setRealityCheck(null)
      then?.()
    } catch (error) {
      setFailure(failureText(error))
    }
  }
  const leave = () => {
    setRealityCheck(null)
    logout()
  }
  const figures = {
    ended: String(check.ended),
    staked: formatMoney(moneyOf(check.staked)),
    net: formatMoney(moneyOf(check.net)),
    open: String(check.open),
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="sheet"
      // Only an answer ends the check, so Esc does not close the dialog.
      onCancel={(event) => event.preventDefault()}
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
      onClose={() => dialog.current?.showModal()}
    >
      <div className="flex flex-col gap-3 px-4 pt-4 pb-[max(16px,env(safe-area-inset-bottom))]">
        <h2 ref={title} id={titleId} tabIndex={-1} className="text-heading">
          {t('limits.session')}
        </h2>
        <p>{t('limits.session_text', { time: durationText(check.minutes * MINUTE_MS) })}</p>
        <p className="text-fg-2">{t('limits.session_figures', figures)}</p>
        {failure !== '' && <Alert tone="danger">{failure}</Alert>}
        <Button variant="secondary" onClick={() => void seen()}>
          {t('limits.carry_on')}
        </Button>
        <Button variant="secondary" onClick={() => void seen(() => go('/account/limits'))}>
          {t('limits.take_break')}
        </Button>
        <Button variant="secondary" onClick={leave}>
          {t('shell.logout')}
        </Button>
        <Link
          href="/account/statement"
          className="hit self-center font-semibold text-brand"
          onClick={() => void seen()}
        >
          {t('screen.statement')}
        </Link>
      </div>
    </dialog>
  )
}
