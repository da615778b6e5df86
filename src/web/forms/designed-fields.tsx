import type { MethodField } from '#core/wallet/form-definition.ts'
import { DesignedField } from '#ui/designed-field.tsx'
import type { Form } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'

interface DesignedFieldsProps {
  fields: readonly MethodField[]
  /** The name of a field in the request, by its label. */
  wireName: (label: string) => string
  form: Form<string>
}

/** The payment details that a withdrawal method asks for. */
export function DesignedFields({ fields, wireName, form }: DesignedFieldsProps) {
  return fields.map((field) => {
    const name = wireName(field.label)
    return (
      <DesignedField
        key={field.name}
        field={field}
        name={name}
        label={field.is_required ? field.label : t('payment_method.optional', { label: field.label })}
        value={form.values[name] ?? ''}
        onChange={(value) => form.set(name, value)}
        onBlur={form.field(name).onBlur}
        error={form.errorOf(name)}
        chooseLabel={t('common.choose')}
      />
    )
  })
}
