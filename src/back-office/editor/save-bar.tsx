import { type ReactNode, useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { failureText, StaffFailure } from '#back-office/api/call-staff.ts'
import { t } from '#back-office/i18n/t.ts'

interface SaveBarProps {
  isSaving: boolean
  onSave: () => void
  /** Why it was not saved; what a field is to blame for stands at the field. */
  failure: unknown
  /** Takes what is stored now in the place of what was typed. */
  onLoadAgain: () => void
  /** The way to take it away; none for something new. */
  remove?: ReactNode
}

/** Below a form: why it could not be saved, and the ways on. */
export function SaveBar({ isSaving, onSave, failure, onLoadAgain, remove }: SaveBarProps) {
  const isStale = failure instanceof StaffFailure && failure.code === 'changed_meanwhile'
  return (
    <div className="flex flex-col gap-3 pt-2">
      {failure !== null && failure !== undefined && (
        <Alert
          tone="danger"
          action={
            isStale && (
              <Button variant="secondary" size="s" onClick={onLoadAgain}>
                {t('content.load_again')}
              </Button>
            )
          }
        >
          {failureText(failure)}
        </Alert>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="m" className="min-w-32" loading={isSaving} onClick={() => !isSaving && onSave()}>
          {t('content.save')}
        </Button>
        {remove}
      </div>
      <p className="text-caption text-fg-3">{t('common.on_record')}</p>
    </div>
  )
}

interface RemoveButtonProps {
  label: string
  isRemoving: boolean
  onRemove: () => void
  /** It can be had back: no second press is asked for. */
  isMild?: boolean
}

/** Removing asks once more, in its place. */
export function RemoveButton({ label, isRemoving, onRemove, isMild = false }: RemoveButtonProps) {
  const [isAsking, setAsking] = useState(false)
  if (!isAsking) {
    return (
      <Button
        variant="danger"
        size="m"
        loading={isRemoving}
        onClick={() => (isMild ? !isRemoving && onRemove() : setAsking(true))}
      >
        {label}
      </Button>
    )
  }
  return (
    <>
      <Button variant="danger" size="m" loading={isRemoving} onClick={() => !isRemoving && onRemove()}>
        {t('content.remove_sure')}
      </Button>
      <Button variant="quiet" size="m" onClick={() => setAsking(false)}>
        {t('content.keep')}
      </Button>
    </>
  )
}
