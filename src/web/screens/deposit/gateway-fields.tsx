import type { GatewayOut } from '#contract/deposits.ts'
import { Field } from '#ui/field.tsx'
import { UploadField } from '#ui/upload-field.tsx'
import type { Form } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { fieldName } from '#web/screens/deposit/deposit-rules.ts'
import { RECEIPT_ACCEPT, receiptRules, type useReceipts } from '#web/screens/deposit/use-receipts.ts'

interface GatewayFieldsProps {
  gateway: GatewayOut
  form: Form<string>
  receipts: ReturnType<typeof useReceipts>
}

/** What the gateway asks for, as the operator designed it: texts, and files such as a receipt. */
export function GatewayFields({ gateway, form, receipts }: GatewayFieldsProps) {
  return gateway.form.form_data.map(({ label, type, is_required: isRequired }) => {
    const name = fieldName(label)
    if (type === 'file') {
      return (
        <UploadField
          key={name}
          label={label}
          rules={receiptRules()}
          accept={RECEIPT_ACCEPT}
          file={receipts.fileOf(name)}
          onChange={(file) => {
            // The form knows the file by its name: whether there is one, and that it changed.
            form.set(name, file?.name ?? '')
            void receipts.choose(name, file)
          }}
          removeLabel={t('deposit.remove_file', { name: label })}
          error={receipts.problemOf(name) ?? form.errorOf(name)}
        />
      )
    }
    return (
      <Field
        key={name}
        {...form.field(name)}
        value={form.values[name] ?? ''}
        label={label}
        type={type === 'email' || type === 'date' ? type : 'text'}
        inputMode={type === 'number' ? 'decimal' : undefined}
        required={isRequired}
        maxLength={500}
      />
    )
  })
}
