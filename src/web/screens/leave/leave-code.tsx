import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { PinField } from '#ui/pin-field.tsx'
import { useToast } from '#ui/toast.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { t } from '#web/i18n/t.ts'

interface LeaveCodeProps {
  /** The masked address that the code goes to. */
  address: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** Sends a code to the verified contact and has a field for this code, because the account has no PIN. */
export function LeaveCode({ address, value, onChange, error }: LeaveCodeProps) {
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const send = async () => {
    setIsBusy(true)
    try {
      const { message = '' } = await call('POST /user/leave/code')
      toast({ tone: 'success', text: message })
    } catch (failure) {
      toast({ tone: 'danger', text: failureText(failure) })
    }
    setIsBusy(false)
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="text-small text-fg-2">{t('leave.code_hint', { address })}</p>
      <Button variant="secondary" size="m" loading={isBusy} onClick={() => void send()}>
        {t('leave.send_code')}
      </Button>
      <PinField
        label={t('leave.code')}
        value={value}
        onChange={onChange}
        error={error}
        masked={false}
        autoComplete="one-time-code"
      />
    </div>
  )
}
