import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { t } from '#web/i18n/t.ts'
import { saveFile } from '#ui/save-file.ts'
import { forgetSeenStates, type RegisterAlarm } from '#web/register/seen-states.ts'

/**
 * A warning on every screen that cannot be closed. Only in a demo, whose data may be deleted, can the user reset the
 * seen states.
 */
export function RegisterBar({ alarm, isDemo }: { alarm: RegisterAlarm; isDemo: boolean }) {
  const isConflict = alarm.kind === 'conflict'
  return (
    <Alert tone={isConflict ? 'danger' : 'warn'} className="rounded-none">
      <p>{t(isConflict ? 'register.bar' : 'register.bar_again')}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button
          size="s"
          variant="secondary"
          onClick={() => saveFile('register-states.json', JSON.stringify(alarm, null, 2))}
        >
          {t('register.save_proof')}
        </Button>
        {isDemo && (
          <Button size="s" variant="secondary" onClick={forgetSeenStates}>
            {t('register.forget')}
          </Button>
        )}
      </div>
    </Alert>
  )
}
