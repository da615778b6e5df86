import { ChevronsUpDown } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { GatewayOut } from '#contract/deposits.ts'
import { OptionList } from '#ui/option-list.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { Avatar } from '#ui/symbol-mark.tsx'
import { t } from '#web/i18n/t.ts'
import { feeText, plain, termsOf } from '#web/gateways/gateway-terms.ts'

interface GatewayPickerProps {
  gateways: readonly GatewayOut[]
  chosen: GatewayOut
  onChoose: (id: number) => void
}

/** The chosen gateway as a field; pressing it opens the list of all. */
export function GatewayPicker({ gateways, chosen, onChoose }: GatewayPickerProps) {
  const [open, setOpen] = useState(false)
  const close = useCallback(() => setOpen(false), [])
  return (
    <>
      <button
        type="button"
        aria-label={t('deposit.change', { name: chosen.name })}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        className="field w-full text-start"
      >
        <Avatar name={chosen.name} size={32} />
        <span className="min-w-0 flex-1">
          <span className="block text-caption font-medium text-fg-3">{t('deposit.gateway')}</span>
          <span className="block truncate text-input font-medium">{chosen.name}</span>
        </span>
        <ChevronsUpDown size={18} strokeWidth={1.75} className="text-fg-3" aria-hidden="true" />
      </button>
      <Sheet open={open} onClose={close} title={t('deposit.choose')} closeLabel={t('common.close')}>
        <OptionList
          label={t('deposit.choose')}
          value={chosen.id}
          onChange={(id) => {
            onChoose(id)
            close()
          }}
          options={gateways.map((gateway) => ({
            value: gateway.id,
            label: gateway.name,
            detail: detailOf(gateway),
            mark: <Avatar name={gateway.name} />,
          }))}
        />
      </Sheet>
    </>
  )
}

function detailOf(gateway: GatewayOut): string {
  const { minimum, maximum } = termsOf(gateway)
  const fee = gateway.is_automatic ? `${feeText(gateway)}, ${t('deposit.instant')}` : feeText(gateway)
  const { currency } = gateway.single_currency
  return t('deposit.limits_fee', { min: plain(minimum), max: plain(maximum), currency, fee })
}
