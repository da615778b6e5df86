import type { WithdrawMethodOut } from '#contract/withdrawals.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { PickerField } from '#ui/picker-field.tsx'
import { t } from '#web/i18n/t.ts'
import { feeText, plain, termsOf } from '#web/gateways/gateway-terms.ts'

interface MethodPickerProps {
  methods: readonly WithdrawMethodOut[]
  chosen: WithdrawMethodOut | null
  onChoose: (method: WithdrawMethodOut) => void
  error?: string | undefined
}

/** A field with the chosen method. A press opens the list of all methods with limits and fees. */
export function MethodPicker({ methods, chosen, onChoose, error }: MethodPickerProps) {
  return (
    <PickerField
      label={t('withdraw.method')}
      title={t('withdraw.choose')}
      pressLabel={chosen === null ? t('withdraw.choose') : t('withdraw.change', { name: chosen.name })}
      placeholder={t('withdraw.choose')}
      closeLabel={t('common.close')}
      value={chosen?.id ?? null}
      onChange={(id) => {
        const method = methods.find((one) => one.id === id)
        if (method) onChoose(method)
      }}
      options={methods.map((method) => ({
        value: method.id,
        label: method.name,
        image: method.image,
        detail: detailOf(method),
      }))}
      error={error}
    />
  )
}

function detailOf(method: WithdrawMethodOut): string {
  const { minimum, maximum } = termsOf(method)
  const terms = { min: plain(minimum), max: plain(maximum), currency: BASE_CURRENCY, fee: feeText(method) }
  return t(method.hasMethod ? 'withdraw.limits_fee' : 'withdraw.limits_fee_bare', terms)
}
