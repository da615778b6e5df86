import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, type SelectHTMLAttributes, useId } from 'react'
import { cx } from '#ui/cx.ts'
import { BOXED_CONTROL, FieldBox, useFieldNotes } from '#ui/field.tsx'

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className' | 'onChange'> {
  label: string
  options: readonly { value: string; label: string; disabled?: boolean | undefined }[]
  onChange: (value: string) => void
  start?: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Marks the field as invalid when the error is displayed elsewhere. */
  invalid?: boolean | undefined
  /** Displays the value left to right in every language: dialling codes. */
  ltr?: boolean | undefined
  className?: string | undefined
}

/** The native picker, styled as a field. */
export function Select(props: SelectProps) {
  const {
    label,
    options,
    onChange,
    start,
    hint,
    error,
    invalid,
    ltr = false,
    className,
    id: givenId,
    ...select
  } = props
  const ownId = useId()
  const id = givenId ?? ownId
  const notes = useFieldNotes(id, hint, error)
  const isInvalid = invalid === true || error !== undefined
  return (
    <div className={className}>
      <FieldBox id={id} label={label} invalid={isInvalid} start={start}>
        <select
          {...select}
          {...notes.aria}
          aria-invalid={isInvalid || undefined}
          id={id}
          onChange={(event) => onChange(event.target.value)}
          dir={ltr ? 'ltr' : undefined}
          className={cx(
            BOXED_CONTROL,
            'appearance-none pe-6',
            ltr ? 'num rtl:ps-6 rtl:pe-0 rtl:text-right' : 'text-start',
          )}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled} className="bg-surface text-fg">
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown size={16} className="pointer-events-none absolute end-0 bottom-5 text-fg-3" aria-hidden="true" />
      </FieldBox>
      {notes.below}
    </div>
  )
}
