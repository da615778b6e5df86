import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { t } from '#back-office/i18n/t.ts'

/** A notice above a form when another staff member has saved the same entry since it was opened. */
export function ChangedMeanwhile({ isOld, reload }: { isOld: boolean; reload: () => void }) {
  if (!isOld) return null
  return (
    <Alert tone="warn">
      <span className="flex flex-wrap items-center justify-between gap-2">
        {t('markets.changed_meanwhile')}
        <Button variant="secondary" size="s" onClick={reload}>
          {t('markets.load_again')}
        </Button>
      </span>
    </Alert>
  )
}
