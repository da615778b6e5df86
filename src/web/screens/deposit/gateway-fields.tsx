import type { GatewayOut } from '#contract/deposits.ts'
import { DesignedField } from '#ui/designed-field.tsx'
import { UploadField } from '#ui/upload-field.tsx'
import type { Form } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { fieldName } from '#web/screens/deposit/deposit-rules.ts'
import { receiptRules, receiptTypes, type useReceipts } from '#web/screens/deposit/use-receipts.ts'

interface GatewayFieldsProps {
  gateway: GatewayOut
  form: Form<string>
  receipts: ReturnType<typeof useReceipts>
}

/** The gateway's own fields as the operator designed them: texts, and files such as a proof of payment. */
export function GatewayFields({ gateway, form, receipts }: GatewayFieldsProps) {
  return gateway.form.form_data.map((field) => {
    const { label, type, hint, pictures_only: picturesOnly = false } = field
    const name = fieldName(label)
    if (type === 'file') {
      return (
        <UploadField
          key={name}
          label={label}
          rules={hint ?? receiptRules(picturesOnly)}
          accept={receiptTypes(picturesOnly).join(',')}
          file={receipts.fileOf(name)}
          onChange={(file) => {
            // The form stores the file's name, to know that a file was chosen or changed.
            form.set(name, file?.name ?? '')
            void receipts.choose(name, file, picturesOnly)
          }}
          removeLabel={t('deposit.remove_file', { name: label })}
          error={receipts.problemOf(name) ?? form.errorOf(name)}
        />
      )
    }
    return (
      <DesignedField
        key={name}
        field={field}
        name={name}
        label={label}
        value={form.values[name] ?? ''}
        onChange={(value) => form.set(name, value)}
        onBlur={form.field(name).onBlur}
        error={form.errorOf(name)}
        chooseLabel={t('common.choose')}
      />
    )
  })
}
