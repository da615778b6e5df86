import { useId } from 'react'
import { MAX_ANSWER_LENGTH, type MethodField } from '#core/wallet/form-definition.ts'
import { TICKED } from '#core/wallet/method-details.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field, useFieldNotes } from '#ui/field.tsx'
import { Select } from '#ui/select.tsx'
import { TextAreaField } from '#ui/text-area-field.tsx'

export interface DesignedFieldProps {
  /** The field as designed by staff. The parent renders `file` fields. */
  field: MethodField
  /** The displayed label. The parent may append that the field is optional. */
  label: string
  name?: string | undefined
  value: string
  onChange: (value: string) => void
  onBlur?: (() => void) | undefined
  error?: string | undefined
  /** The first entry of a select while nothing is chosen. */
  chooseLabel: string
}

/** A form field designed by staff. An unknown type is rendered as text. */
export function DesignedField({ field, label, chooseLabel, onChange, ...rest }: DesignedFieldProps) {
  const { type, hint, options = [], max_length: maxLength = MAX_ANSWER_LENGTH, is_required: required } = field
  switch (type) {
    case 'select':
      return (
        <Select
          {...rest}
          label={label}
          hint={hint}
          required={required}
          onChange={onChange}
          options={[{ value: '', label: chooseLabel }, ...options.map((option) => ({ value: option, label: option }))]}
        />
      )
    case 'checkbox':
      return <DesignedCheckbox {...rest} label={label} hint={hint} required={required} onChange={onChange} />
    case 'textarea':
      return (
        <TextAreaField
          {...rest}
          label={label}
          hint={hint}
          required={required}
          maxLength={maxLength}
          onChange={onChange}
        />
      )
    default:
      return (
        <Field
          {...rest}
          label={label}
          hint={hint}
          required={required}
          maxLength={maxLength}
          type={INPUT_TYPES.find((known) => known === type) ?? 'text'}
          inputMode={type === 'number' ? 'decimal' : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          ltr={type === 'destination'}
          onChange={(event) => onChange(event.target.value)}
        />
      )
  }
}

/** Types with a native input. Numbers use a text input, as browsers parse number inputs differently by language. */
const INPUT_TYPES = ['email', 'date', 'tel', 'url']

interface PartProps extends Omit<DesignedFieldProps, 'field' | 'chooseLabel'> {
  hint: string | undefined
  required: boolean
}

function DesignedCheckbox({ label, name, value, onChange, onBlur, error, hint, required }: PartProps) {
  const notes = useFieldNotes(useId(), hint, error)
  return (
    <div>
      <Checkbox
        {...notes.aria}
        name={name}
        required={required}
        checked={value === TICKED}
        onBlur={onBlur}
        onChange={(event) => onChange(event.target.checked ? TICKED : '')}
      >
        {label}
      </Checkbox>
      {notes.below}
    </div>
  )
}
