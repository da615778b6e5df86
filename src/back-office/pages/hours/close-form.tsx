import { type FormEvent, useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { t } from '#back-office/i18n/t.ts'

interface CloseFormProps {
  isClosed: boolean
  labels: { close: string; open: string }
  words: string
  onWords: (words: string) => void
  isBusy: boolean
  failure: Error | null
  onClose: () => void
  onOpen: () => void
}

/** Closes a market or symbol with a reason that users read, or reopens it. */
export function CloseForm({ isClosed, labels, words, onWords, isBusy, failure, onClose, onOpen }: CloseFormProps) {
  const [isTouched, setIsTouched] = useState(false)
  const isMissing = words.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsTouched(true)
    if (!isBusy && !isMissing) onClose()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2.5 pb-5">
      {failure && <Alert tone="danger">{failureText(failure)}</Alert>}
      {isClosed ? (
        <Button variant="secondary" size="m" loading={isBusy} onClick={() => !isBusy && onOpen()}>
          {labels.open}
        </Button>
      ) : (
        <>
          <Field
            label={t('markets.reason')}
            placeholder={t('markets.reason_hint')}
            hint={t('markets.close_text')}
            value={words}
            maxLength={300}
            error={isTouched && isMissing ? t('refusal.words_needed') : undefined}
            onChange={(event) => onWords(event.target.value)}
          />
          <Button type="submit" variant="danger" size="m" loading={isBusy}>
            {labels.close}
          </Button>
        </>
      )}
    </form>
  )
}
