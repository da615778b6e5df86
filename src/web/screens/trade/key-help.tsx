import { Switch } from '#ui/checkbox.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { t } from '#web/i18n/t.ts'
import { singleKeys } from '#web/options/options.ts'

/** The shortcuts of the trade screen, and the switch that turns them off. */
export function KeyHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const keys = [
    ['/', t('trade.search')],
    ['B', t('trade.buy')],
    ['S', t('trade.sell')],
    ['1–5', t('trade.expiry')],
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
      <div className="mt-4 flex items-center gap-3 border-t border-line pt-3">
        <span className="flex-1 text-small">
          {t('options.single_keys')}
          <span className="block text-label text-fg-3">{t('options.single_keys_text')}</span>
        </span>
        <Switch
          label={t('options.single_keys')}
          checked={singleKeys.use() === 'on'}
          onChange={(next) => singleKeys.choose(next ? 'on' : 'off')}
        />
      </div>
    </Sheet>
  )
}
