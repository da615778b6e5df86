import { useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { useSession } from '#web/session/session.ts'
import { refreshUser } from '#web/site/refresh-user.ts'

/** Shows on every screen that support is recovering the account. The user can stop the recovery here. */
export function RecoveryStrip() {
  const recovery = useSession()?.user.recovery ?? null
  return recovery && <Strip opensAt={recovery.opens_at} />
}

function Strip({ opensAt }: { opensAt: string }) {
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const stop = async () => {
    setIsBusy(true)
    try {
      await call('POST /user/recovery/stop')
      toast({ tone: 'success', text: t('recovery.stopped') })
    } catch (error) {
      toast({ tone: 'danger', text: failureText(error) })
    }
    setIsBusy(false)
    await refreshUser()
  }
  return (
    <div className="px-(--gutter) py-2 md:mx-auto md:w-full md:max-w-[1120px]">
      <Alert
        tone="warn"
        action={
          <Button size="s" variant="danger" loading={isBusy} onClick={() => void stop()}>
            {t('recovery.not_me')}
          </Button>
        }
      >
        {t('recovery.strip', { time: dayAndTimeText(Date.parse(opensAt)) })}
      </Alert>
    </div>
  )
}
