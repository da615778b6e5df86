import { type FormEvent, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { failureText, StaffFailure } from '#back-office/api/call-staff.ts'
import { Block } from '#back-office/detail/facts.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { shortTime } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'

interface RemarksProps {
  remarks: readonly { who: string; at: string; text: string }[]
  /** Stores a note; throws if the server refuses it. */
  onAdd: (text: string) => Promise<unknown>
}

/** Staff notes about a payment, and a field to add one. */
export function Remarks({ remarks, onAdd }: RemarksProps) {
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (text.trim() === '') return setError(t('refusal.remark_needed'))
    setBusy(true)
    setError(undefined)
    try {
      await onAdd(text.trim())
      setText('')
    } catch (failure) {
      const own = failure instanceof StaffFailure ? failure.errors['text']?.[0] : undefined
      setError(own ?? failureText(failure))
    } finally {
      setBusy(false)
    }
    return undefined
  }
  return (
    <Block title={t('queue.remarks')}>
      <ul>
        {remarks.map((remark) => (
          <li key={`${remark.at} ${remark.text}`} className="mb-2 rounded-field bg-surface-2 px-3 py-2">
            <p className="break-words whitespace-pre-line">{remark.text}</p>
            <p className="text-caption text-fg-3">
              {t('queue.remark_by', { who: remark.who, time: shortTime(remark.at) })}
            </p>
          </li>
        ))}
      </ul>
      <form onSubmit={(event) => void add(event)} className="flex flex-col items-start gap-2">
        <div className="w-full">
          <TextArea
            label={t('queue.remark')}
            placeholder={t('queue.remark_hint')}
            rows={2}
            maxLength={1_000}
            value={text}
            error={error}
            onChange={(event) => {
              setText(event.target.value)
              setError(undefined)
            }}
          />
        </div>
        <Button type="submit" variant="secondary" size="s" loading={isBusy}>
          {t('queue.add_remark')}
        </Button>
      </form>
    </Block>
  )
}
