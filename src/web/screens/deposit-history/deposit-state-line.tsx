import { useEffect, useRef, useState } from 'react'
import type { DepositOut } from '#contract/deposits.ts'
import { groupThousands, parseDecimal } from '#core/money/decimal.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import { ARRIVED_DECIMALS, arrivedText } from '#core/wallet/arrival-credit.ts'
import { Button } from '#ui/button.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { callKey, queryClient } from '#web/api/query.tsx'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { serverNowMs } from '#web/site/settings.ts'

/** Shows the arrived amount, the end of the quote, and the actions of the user before a payment was seen. */
export function DepositStateLine({ deposit }: { deposit: DepositOut }) {
  return (
    <>
      {typeof deposit.arrived === 'string' && <ArrivedText deposit={deposit} arrived={deposit.arrived} />}
      {deposit.state === 'waiting' && <WaitingActions deposit={deposit} />}
    </>
  )
}

const units = (text: string) => parseDecimal(text, ARRIVED_DECIMALS) ?? 0n

function ArrivedText({ deposit: { total, currency }, arrived }: { deposit: DepositOut; arrived: string }) {
  const [all, asked] = [units(arrived), units(total.toFixed(2))]
  if (all === asked) return null
  const written = (amount: bigint) => groupThousands(arrivedText(amount, currency))
  const params = {
    arrived: written(all),
    asked: written(asked),
    more: written(all > asked ? all - asked : 0n),
    currency,
  }
  return (
    <p className="mt-2 text-label text-fg-2">
      {all > asked ? t('deposit_history.more', params) : t('deposit_history.part', params)}
    </p>
  )
}

function WaitingActions({ deposit: { trx, quoted_until: until } }: { deposit: DepositOut }) {
  const [busy, setBusy] = useState<'requote' | 'close' | null>(null)
  const [failure, setFailure] = useState<string[]>([])
  const sending = useRef(false)
  const end = until === null ? null : Date.parse(until)
  const [now, setNow] = useState(serverNowMs)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNowMs()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  const isOver = end !== null && end < now

  async function send(what: 'requote' | 'close') {
    if (sending.current) return
    sending.current = true
    setBusy(what)
    setFailure([])
    try {
      const path = what === 'requote' ? 'POST /user/deposits/:trx/requote' : 'POST /user/deposits/:trx/close'
      await call(path, { params: { trx } })
    } catch (error) {
      setFailure([failureText(error)])
    } finally {
      sending.current = false
      setBusy(null)
      await queryClient.invalidateQueries({ queryKey: callKey('GET /user/deposits') })
    }
  }

  return (
    <div className="mt-2 flex flex-col gap-2">
      {end !== null && (
        <p className="text-label text-fg-2">
          {isOver ? t('deposit_history.quote_over') : t('deposit_history.quote', { time: dayAndTimeText(end) })}
        </p>
      )}
      <FormFailure messages={failure} />
      <div className="flex flex-wrap gap-2">
        {isOver && (
          <Button variant="secondary" size="m" loading={busy === 'requote'} onClick={() => void send('requote')}>
            {t('deposit_history.requote')}
          </Button>
        )}
        <Button variant="secondary" size="m" loading={busy === 'close'} onClick={() => void send('close')}>
          {t('deposit_history.close')}
        </Button>
      </div>
    </div>
  )
}
