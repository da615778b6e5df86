import { type Ref, useId, useState } from 'react'
import { asciiDigits } from '#core/text/digits.ts'
import { cx } from '#ui/cx.ts'
import { useFieldNotes } from '#ui/field.tsx'
import { typedText } from '#ui/typed-text.ts'

interface PinFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  /** Called once when the last digit is entered. */
  onComplete?: ((value: string) => void) | undefined
  length?: number | undefined
  /** Shows dots instead of digits: on for a PIN, off for a code that was sent. */
  masked?: boolean | undefined
  /** "one-time-code" lets phones offer the code from a message. */
  autoComplete?: 'one-time-code' | 'off' | 'new-password' | undefined
  hint?: string | undefined
  error?: string | undefined
  disabled?: boolean | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/** Six boxes above one real input, so that pasting, autofill and screen readers work as in an ordinary field. */
export function PinField(props: PinFieldProps) {
  const { label, value, onChange, onComplete, length = 6, masked = true, autoComplete = 'off' } = props
  const { hint, error, disabled, ref } = props
  const id = useId()
  const notes = useFieldNotes(id, hint, error)
  const [focused, setFocused] = useState(false)
  const at = Math.min(value.length, length - 1)

  const read = (typed: string) => asciiDigits(typed).replace(/\D/g, '').slice(0, length)
  const take = (digits: string) => {
    if (digits === value) return
    onChange(digits)
    if (digits.length === length) onComplete?.(digits)
  }

  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-label font-semibold text-fg-2">
        {label}
      </label>
      <div className="relative w-fit max-w-full" dir="ltr">
        <input
          {...notes.aria}
          ref={ref}
          id={id}
          value={value}
          {...typedText(read, take)}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          disabled={disabled}
          inputMode="numeric"
          pattern="[0-9]*"
          // No maxLength, as it would cut a pasted "482 113" before the space is removed.
          autoComplete={autoComplete}
          // Not type="password", as password managers would offer to save it. The boxes mask the digits; the input's
          // text is transparent.
          className="absolute inset-0 z-1 size-full bg-transparent text-[1rem] text-transparent caret-transparent outline-none selection:bg-transparent"
        />
        <div className="flex gap-2" aria-hidden="true">
          {Array.from({ length }, (_, index) => (
            <span
              // The boxes never change their order, so the index identifies a box.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              className={cx(
                'num grid h-14 w-12 min-w-0 place-items-center rounded-field bg-surface text-title transition-shadow',
                error
                  ? 'shadow-[inset_0_0_0_2px_var(--danger)]'
                  : focused && index === at
                    ? 'shadow-[inset_0_0_0_2px_var(--brand)]'
                    : 'shadow-[inset_0_0_0_1px_var(--line-strong)]',
              )}
            >
              {masked && index < value.length ? <i className="size-2.5 rounded-full bg-fg" /> : value[index]}
            </span>
          ))}
        </div>
      </div>
      {notes.below}
    </div>
  )
}
