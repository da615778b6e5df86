import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { call } from '#web/api/call.ts'
import { t } from '#web/i18n/t.ts'
import type { Act } from '#web/screens/security/act.ts'

interface RecoveryCardProps {
  left: number
  onChanged: (recoveryCodes: readonly string[]) => void
  act: Act
}

/** The number of unused recovery codes, and a button for new ones. */
export function RecoveryCard({ left, onChanged, act }: RecoveryCardProps) {
  const [isBusy, setIsBusy] = useState(false)
  const renew = async () => {
    setIsBusy(true)
    await act(async () => onChanged((await call('POST /user/security/recovery-codes')).data.recovery_codes))
    setIsBusy(false)
  }
  return (
    <Card className="flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <h3 className="font-list">{t('security.recovery')}</h3>
        <p className="text-label text-fg-2">{t('security.recovery_left', { number: left })}</p>
      </div>
      <Button size="s" variant="secondary" loading={isBusy} onClick={() => void renew()}>
        {t('security.recovery_renew')}
      </Button>
    </Card>
  )
}
