import { type ReactNode, type Ref, useId } from 'react'
import { amountText } from '#core/money/typed-amount.ts'
import { useFieldNotes } from '#ui/field.tsx'
import { typedText } from '#ui/typed-text.ts'

interface AmountFieldProps {
  label: string
  /** Content next to the label: the balance. */
  aside?: ReactNode
  /** The typed text. The parent parses it with `readAmount`. */
  value: string
  onChange: (value: string) => void
  currency?: string | undefined
  /** The limit at the end of the field: "Min $20.00". */
  limit?: ReactNode
  error?: ReactNode
  hint?: ReactNode
  disabled?: boolean | undefined
  onBlur?: (() => void) | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/**
 * Returns the text that the field shows after an edit; null when the edit is ignored. A single letter typed by mistake
 * is ignored. A pasted text stays even if it is no amount ("-25"), because an empty field would not tell the user what
 * was wrong.
 */
function textToKeep(before: string, typed: string): string | null {
  const text = amountText(typed)
  const isOneLetterMore = typed.length === before.length + 1 && amountText(before) !== null
  return text === null && !isOneLetterMore ? typed : text
}

/** A 52 px field for a stake or an amount. It accepts digits of any script and separators; `readAmount` parses them. */
export function AmountField(props: AmountFieldProps) {
  const { label, aside, value, onChange, currency = '$', limit, error, hint, disabled, onBlur, ref } = props
  const id = useId()
  const notes = useFieldNotes(id, hint, error)
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-3 text-label">
        <label htmlFor={id} className="font-semibold text-fg-2">
          {label}
        </label>
        {aside !== undefined && <span className="text-fg-2">{aside}</span>}
      </div>
      <div className="field h-13!" dir="ltr" data-invalid={error ? '' : undefined}>
        {currency !== '' && (
          <span className="text-[1.25rem]/[1.5rem] text-fg-3" aria-hidden="true">
            {currency}
          </span>
        )}
        <input
          {...notes.aria}
          ref={ref}
          id={id}
          value={value}
          disabled={disabled}
          onBlur={onBlur}
          {...typedText((typed) => textToKeep(value, typed), onChange)}
          inputMode="decimal"
          autoComplete="off"
          className="num h-full text-[1.25rem]! font-semibold!"
        />
        {limit !== undefined && <span className="shrink-0 text-label text-fg-3">{limit}</span>}
      </div>
      {notes.below}
    </div>
  )
}
