import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { CopyRow } from '#ui/copy-row.tsx'
import { copyLabels } from '#back-office/i18n/copy-labels.ts'
import { t } from '#back-office/i18n/t.ts'

interface JoinAddressProps {
  path: string
  name: string
  onDone: () => void
}

/**
 * The invitation address, where the staff member chooses a password. The address is shown once and cannot be retrieved again.
 */
export function JoinAddress({ path, name, onDone }: JoinAddressProps) {
  return (
    <div className="flex flex-col gap-3">
      <Alert tone="success" title={t('staff.invited_title', { name })}>
        {t('staff.hand_over')}
      </Alert>
      <CopyRow text={`${globalThis.location.origin}${path}`} labels={copyLabels()} />
      <Button variant="secondary" onClick={onDone}>
        {t('common.close')}
      </Button>
    </div>
  )
}
