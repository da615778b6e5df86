import type { GatewayOut } from '#contract/deposits.ts'
import { PickerField } from '#ui/picker-field.tsx'
import { t } from '#web/i18n/t.ts'
import { feeText, plain, termsOf } from '#web/gateways/gateway-terms.ts'

interface GatewayPickerProps {
  gateways: readonly GatewayOut[]
  chosen: GatewayOut
  onChoose: (id: number) => void
}

/** A field with the chosen gateway. A press opens the list of all gateways. */
export function GatewayPicker({ gateways, chosen, onChoose }: GatewayPickerProps) {
  return (
    <PickerField
      label={t('deposit.gateway')}
      title={t('deposit.choose')}
      pressLabel={t('deposit.change', { name: chosen.name })}
      placeholder={t('deposit.choose')}
      closeLabel={t('common.close')}
      value={chosen.id}
      onChange={onChoose}
      options={gateways.map((gateway) => ({
        value: gateway.id,
        label: gateway.name,
        image: gateway.image,
        detail: detailOf(gateway),
      }))}
    />
  )
}

function detailOf(gateway: GatewayOut): string {
  const { minimum, maximum } = termsOf(gateway)
  const fee = gateway.is_automatic ? `${feeText(gateway)}, ${t('deposit.instant')}` : feeText(gateway)
  const { currency } = gateway.single_currency
  return t('deposit.limits_fee', { min: plain(minimum), max: plain(maximum), currency, fee })
}
