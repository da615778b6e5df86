import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { asciiDigits } from '#core/text/digits.ts'
import { cx } from '#ui/cx.ts'
import { isComposing } from '#ui/typed-text.ts'

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'children'> {
  label: string
  /** Help text that stays visible while the user types. */
  hint?: ReactNode
  /** One sentence. Marks the field as invalid and is announced with it. */
  error?: string | undefined
  /** Marks the field as invalid when the error is displayed elsewhere. */
  invalid?: boolean | undefined
  /** Content before the text: a flag, a currency sign. */
  start?: ReactNode
  /** Content after the text: a check mark, a button of 44 px. */
  end?: ReactNode
  /** Displays the value left to right in every language: codes, phone numbers, addresses. */
  ltr?: boolean | undefined
  className?: string | undefined
  ref?: Ref<HTMLInputElement> | undefined
}

/**
 * A text field: a 56 px box with the label above the value, and the hint or error below. Where a number is typed,
 * digits of every script become 0 to 9.
 */
export function Field(props: FieldProps) {
  const { label, hint, error, invalid, start, end, ltr = false, className, id: givenId, onChange, ...input } = props
  const ownId = useId()
  const id = givenId ?? ownId
  const notes = useFieldNotes(id, hint, error)
  const isInvalid = invalid === true || error !== undefined
  return (
    <div className={className}>
      <FieldBox id={id} label={label} invalid={isInvalid} start={start} end={end}>
        <input
          {...input}
          {...notes.aria}
          onChange={(event) => {
            if (isNumeric(input) && !isComposing(event.nativeEvent)) readDigitsIn(event.target)
            onChange?.(event)
          }}
          aria-invalid={isInvalid || undefined}
          id={id}
          dir={ltr ? 'ltr' : undefined}
          className={cx(BOXED_CONTROL, ltr && 'num rtl:text-right')}
        />
      </FieldBox>
      {notes.below}
    </div>
  )
}

function isNumeric({ inputMode }: Pick<FieldProps, 'inputMode'>): boolean {
  return inputMode === 'numeric' || inputMode === 'decimal' || inputMode === 'tel'
}

function readDigitsIn(input: HTMLInputElement): void {
  const text = asciiDigits(input.value)
  if (text !== input.value) input.value = text
}

interface FieldBoxProps {
  id: string
  label: string
  invalid: boolean
  start?: ReactNode
  end?: ReactNode
  children: ReactNode
}

/** The position of an input or select in a `FieldBox`: from the last line of the label to the lower edge. */
export const BOXED_CONTROL = '-mt-[1.5625rem] block h-[3.5rem] pt-[1.375rem] pb-[0.4375rem]'

/** The box around an input or select, shared by all fields. */
export function FieldBox({ id, label, invalid, start, end, children }: FieldBoxProps) {
  return (
    <div className="field" data-invalid={invalid ? '' : undefined}>
      {start !== undefined && <span className="pointer-events-none flex shrink-0 items-center text-fg-3">{start}</span>}
      <div className="relative min-w-0 flex-1">
        <label
          htmlFor={id}
          // A long label takes several lines. The control begins at the last line, so a press on most of the box
          // reaches it.
          className="pointer-events-none relative block pt-[0.5625rem] text-caption font-medium text-fg-3 wrap-anywhere"
        >
          {label}
        </label>
        {children}
      </div>
      {end !== undefined && <span className="flex shrink-0 items-center">{end}</span>}
    </div>
  )
}

/** Returns the hint or error below a field, and the attributes that link them to its input. */
export function useFieldNotes(id: string, hint: ReactNode, error: ReactNode) {
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = cx(Boolean(error) && errorId, hint !== undefined && hint !== null && hintId)
  const below = (
    <>
      {error && (
        <p id={errorId} className="mt-1 flex items-start gap-1.5 px-3.5 text-caption font-medium text-danger">
          <CircleAlert size={14} className="mt-px" aria-hidden="true" />
          <span>{error}</span>
        </p>
      )}
      {hint !== undefined && hint !== null && (
        <p id={hintId} className="mt-1 px-3.5 text-caption text-fg-3">
          {hint}
        </p>
      )}
    </>
  )
  return {
    aria: { 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined },
    below,
  }
}
