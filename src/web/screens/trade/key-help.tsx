import { Switch } from '#ui/checkbox.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { t } from '#web/i18n/t.ts'
import { canVibrate } from '#web/options/haptics.ts'
import { haptics, singleKeys, sound } from '#web/options/options.ts'

const OPTIONS = [
  { name: 'single_keys', option: singleKeys },
  { name: 'sound', option: sound },
  { name: 'haptic', option: haptics },
] as const

/** The shortcuts of the trade screen with the switch that turns them off, and the switches of tone and vibration. */
export function KeyHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const keys = [
    ['/', t('trade.search')],
    ['B', t('trade.buy')],
    ['S', t('trade.sell')],
    ['1–5', t('trade.expiry')],
    ['Enter', t('options.key_enter')],
    ['T', t('chart.show_table')],
    ['C', t('chart.settings')],
    ['O', t('trade.open_orders')],
    ['N', t('chart.to_latest')],
    ['← →', t('options.key_crosshair')],
    ['Esc', t('common.close')],
    ['?', t('options.keys')],
  ] as const
  return (
    <Sheet open={open} onClose={onClose} title={t('options.keys')} closeLabel={t('common.close')}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-small">
        {keys.map(([key, action]) => (
          <div key={key} className="contents">
            <dt>
              <kbd dir="ltr" className="mono rounded-pill bg-surface-2 px-2 py-0.5 font-semibold">
                {key}
              </kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      {OPTIONS.filter(({ name }) => name !== 'haptic' || canVibrate()).map(({ name, option }) => (
        <div key={name} className="mt-4 flex items-center gap-3 border-t border-line pt-3">
          <span className="flex-1 text-small">
            {t(`options.${name}`)}
            <span className="block text-label text-fg-3">{t(`options.${name}_text`)}</span>
          </span>
          <Switch
            label={t(`options.${name}`)}
            checked={option.use() === 'on'}
            onChange={(next) => option.choose(next ? 'on' : 'off')}
          />
        </div>
      ))}
    </Sheet>
  )
}
