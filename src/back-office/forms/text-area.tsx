import { type TextareaHTMLAttributes, useId } from 'react'
import { useFieldNotes } from '#ui/field.tsx'

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className'> {
  label: string
  hint?: string | undefined
  error?: string | undefined
  ref?: React.Ref<HTMLTextAreaElement> | undefined
}

/** A multi-line text field with its label above and its hint or error below. */
export function TextArea({ label, hint, error, rows = 3, ...area }: TextAreaProps) {
  const id = useId()
  const notes = useFieldNotes(id, hint, error)
  return (
    <div>
      <label htmlFor={id} className="block pb-1.5 text-caption font-medium text-fg-3">
        {label}
      </label>
      <textarea
        {...area}
        {...notes.aria}
        id={id}
        rows={rows}
        className="block w-full rounded-field bg-surface px-3.5 py-2.5 text-fg shadow-[inset_0_0_0_1px_var(--line-strong)] placeholder:text-fg-3 aria-invalid:shadow-[inset_0_0_0_2px_var(--danger)]"
      />
      {notes.below}
    </div>
  )
}
