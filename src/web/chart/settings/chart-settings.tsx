import { useState } from 'react'
import { Segmented } from '#ui/segmented.tsx'
import { OptionList } from '#ui/option-list.tsx'
import { Switch } from '#ui/checkbox.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { TabPanel, Tabs } from '#ui/tabs.tsx'
import { DrawingTab, type DrawingTabProps } from '#web/chart/settings/drawing-tab.tsx'
import { GoToDate } from '#web/chart/settings/go-to-date.tsx'
import { IndicatorTab, type IndicatorTabProps } from '#web/chart/settings/indicator-tab.tsx'
import { t } from '#web/i18n/t.ts'
import { setOwnDevice, useIsOwnDevice } from '#web/options/own-device.ts'
import { useSession } from '#web/session/session.ts'
import { CHART_TYPES, type ChartType, TICK_VIEWS, type TickView } from '#core/charts/chart-type.ts'
import { changeDesk, useDesk } from '#web/options/desk.ts'

interface ChartSettingsProps extends IndicatorTabProps, DrawingTabProps {
  open: boolean
  onClose: () => void
}

const TABS = ['type', 'indicators', 'drawings'] as const

/**
 * The sheet with the type of the chart, its price scale, its indicators and drawings. Every change applies at once,
 * while the sheet is still open.
 */
export function ChartSettings(props: ChartSettingsProps) {
  const { open, onClose, symbol, decimals, onTool } = props
  const { maxPanes, roomForPanes, onLarge, hasVolume } = props
  const [tab, setTab] = useState<(typeof TABS)[number]>('type')
  return (
    <Sheet open={open} onClose={onClose} title={t('chart.settings')} closeLabel={t('common.close')}>
      <Tabs
        label={t('chart.settings')}
        id="chart-settings"
        tabs={TABS.map((value) => ({ value, label: t(`desk.tab_${value}`) }))}
        value={tab}
        onChange={setTab}
      />
      <TabPanel id="chart-settings" value={tab} className="pt-3">
        {tab === 'type' ? (
          <TypeTab symbol={symbol} onGo={onTool} />
        ) : tab === 'indicators' ? (
          <IndicatorTab maxPanes={maxPanes} roomForPanes={roomForPanes} onLarge={onLarge} hasVolume={hasVolume} />
        ) : (
          <DrawingTab symbol={symbol} decimals={decimals} onTool={onTool} />
        )}
      </TabPanel>
    </Sheet>
  )
}

/** `onGo` closes the sheet and shows the candles. */
function TypeTab({ symbol, onGo }: { symbol: string; onGo: () => void }) {
  const { type, interval, ticks, isLogarithmic } = useDesk()
  const isSignedIn = useSession() !== null
  const isOwn = useIsOwnDevice()
  return (
    <>
      <OptionList
        label={t('desk.tab_type')}
        options={[
          ...CHART_TYPES.map((value) => ({
            value: value as ChartType | TickView,
            label: t(`desk.type_${value}`),
            detail: detailOf(value),
          })),
          ...TICK_VIEWS.map((value) => ({
            value,
            label: t(`desk.ticks_${value}`),
            detail: t(`desk.ticks_${value}_hint`),
          })),
        ]}
        value={ticks ?? type}
        onChange={(chosen) =>
          changeDesk(chosen === 'second' || chosen === 'every' ? { ticks: chosen } : { type: chosen, ticks: null })
        }
        className="-mx-3"
      />
      <h3 className="mt-4 mb-2 text-label text-fg-2">{t('desk.scale')}</h3>
      <Segmented
        label={t('desk.scale')}
        options={[
          { value: 'normal', label: t('desk.scale_normal') },
          { value: 'logarithmic', label: t('desk.scale_logarithmic') },
        ]}
        value={isLogarithmic ? 'logarithmic' : 'normal'}
        onChange={(value) => changeDesk({ isLogarithmic: value === 'logarithmic' })}
      />
      <h3 className="mt-4 mb-2 text-label text-fg-2">{t('desk.go_to')}</h3>
      <GoToDate
        symbol={symbol}
        interval={interval}
        onGo={() => {
          changeDesk({ ticks: null })
          onGo()
        }}
      />
      {isSignedIn && (
        <div className="mt-4 flex items-center gap-3">
          <span className="flex-1">
            {t('desk.own_device')}
            <span className="block text-small text-fg-3">{t('desk.own_device_hint')}</span>
          </span>
          <Switch label={t('desk.own_device')} checked={isOwn} onChange={setOwnDevice} />
        </div>
      )}
    </>
  )
}

function detailOf(type: ChartType): string | undefined {
  if (type === 'hollow') return t('desk.hollow_hint')
  return type === 'heikin_ashi' ? t('desk.heikin_ashi_hint') : undefined
}
