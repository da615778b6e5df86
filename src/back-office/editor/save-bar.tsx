import { type ReactNode, useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { failureText, StaffFailure } from '#back-office/api/call-staff.ts'
import { t } from '#back-office/i18n/t.ts'

interface SaveBarProps {
  isSaving: boolean
  onSave: () => void
  /** Why saving failed. Failures of a single field are shown at that field. */
  failure: unknown
  /** Replaces the typed values with the stored ones. */
  onLoadAgain: () => void
  /** The remove button; absent for a new entry. */
  remove?: ReactNode
}

/** The bar below a form: the save failure, and the buttons to save, reload or remove. */
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
  /** The removal can be undone, so it needs no confirmation. */
  isMild?: boolean
}

/** A remove button. The confirmation appears in place of the button. */
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
