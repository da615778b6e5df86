import { useState } from 'react'
import type { GatewayOut } from '#contract/deposits.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { formatMoney } from '#ui/format.ts'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { callKey, queryClient, useCallQuery } from '#web/api/query.tsx'
import { useRequestId } from '#web/forms/request-id.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { refreshUser } from '#web/site/refresh-user.ts'
import { type User, useSession } from '#web/session/session.ts'
import { useDepositsAreOpen, useIsDemo } from '#web/site/settings.ts'

/** 1,000 in the base currency: enough for many orders, and less than a typical first deposit by hand. */
const WANTED = 1_000

/** Credits virtual money in one press, for users of a demo without balance, who could otherwise try nothing. */
export function DemoFunds({ className }: { className?: string }) {
  const user = useSession()?.user
  const isDemo = useIsDemo()
  const depositsAreOpen = useDepositsAreOpen()
  if (user === undefined || !isDemo || !depositsAreOpen || !hasNothing(user)) return null
  return <Offer className={className} />
}

function hasNothing({ balance, staked, withdrawing }: User): boolean {
  return balance + staked + withdrawing === 0
}

function Offer({ className }: { className?: string | undefined }) {
  const query = useCallQuery('GET /user/payment-gateways/deposit', {})
  const gateway = query.data?.data.gateways.find(paysAtOnce)
  const requestId = useRequestId()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState('')
  // While loading, the card keeps its place, so that nothing moves when the reply arrives.
  if (gateway === undefined && !query.isPending) return null
  const amount = gateway === undefined ? WANTED : amountOf(gateway)
  const take = async () => {
    if (gateway === undefined) return
    setIsBusy(true)
    setFailure('')
    try {
      const id = requestId(`${gateway.id} ${amount}`)
      const form = { method_id: gateway.id, amount: String(amount), client_request_id: id }
      await call('POST /user/deposits/save', { form })
      // The new balance makes this card disappear.
      await refreshUser()
      for (const route of ['GET /user/deposits', 'GET /user/tasks'] as const)
        void queryClient.invalidateQueries({ queryKey: callKey(route) })
    } catch (error) {
      setFailure(failureText(error))
    }
    setIsBusy(false)
  }
  return (
    <Card className={className}>
      {failure !== '' && (
        <Alert tone="danger" className="mb-3">
          {failure}
        </Alert>
      )}
      <Button size="m" wide loading={isBusy} disabled={gateway === undefined} onClick={() => void take()}>
        {t('tasks.demo_funds', { amount: formatMoney(moneyOf(amount)) })}
      </Button>
      <p className="mt-2 text-center text-caption text-fg-3">{t('tasks.demo_funds_text')}</p>
    </Card>
  )
}

/** Whether a gateway credits without approval, at a rate of 1 to the base currency, and requires no fields. */
function paysAtOnce(gateway: GatewayOut): boolean {
  const { is_automatic: isAutomatic, form, single_currency: terms } = gateway
  return isAutomatic && terms.rate === 1 && !form.form_data.some((field) => field.is_required)
}

function amountOf({ single_currency: { min_amount: min, max_amount: max } }: GatewayOut): number {
  return Math.min(Math.max(WANTED, min), max)
}
