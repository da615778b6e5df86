import { useId } from 'react'
import { useFieldNotes } from '#ui/field.tsx'

interface TextAreaFieldProps {
  label: string
  name?: string | undefined
  value: string
  onChange: (value: string) => void
  onBlur?: (() => void) | undefined
  error?: string | undefined
  hint?: string | undefined
  required?: boolean | undefined
  maxLength: number
  rows?: number | undefined
}

/** A field for several lines of text, with its label inside. */
export function TextAreaField(props: TextAreaFieldProps) {
  const { label, name, value, onChange, onBlur, error, hint, required, maxLength, rows = 3 } = props
  const id = useId()
  const notes = useFieldNotes(id, hint, error)
  return (
    <div>
      <div
        className="field h-auto! flex-col items-stretch! gap-0! pt-[0.5625rem]"
        data-invalid={error ? '' : undefined}
      >
        <label htmlFor={id} className="text-caption font-medium text-fg-3">
          {label}
        </label>
        <textarea
          {...notes.aria}
          id={id}
          name={name}
          value={value}
          required={required}
          maxLength={maxLength}
          rows={rows}
          onBlur={onBlur}
          onChange={(event) => onChange(event.target.value)}
          className="w-full bg-transparent pb-2 text-input text-fg outline-none"
        />
      </div>
      {notes.below}
    </div>
  )
}
