import Bell from 'lucide-react/icons/bell'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '#ui/button.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { useLayer } from '#ui/close-on-back.ts'
import { useStore } from '#ui/state/store.ts'
import { useToast } from '#ui/toast.tsx'
import { AlertSheet } from '#web/alerts/alert-sheet.tsx'
import { levelText } from '#web/alerts/alert-text.ts'
import { placedAlert } from '#web/alerts/placed-alert.ts'
import { isRunning, placeAlert, useAlerts } from '#web/alerts/use-alerts.ts'
import { failureText } from '#web/api/call-failure.ts'
import { AlertHandle } from '#web/chart/alert-handle.tsx'
import { type AlertLine, AlertPane } from '#web/chart/alert-pane.ts'
import type { ChartLayers } from '#web/chart/chart-layers.ts'
import { t } from '#web/i18n/t.ts'
import { latestTick } from '#web/live/live-store.ts'

interface AlertLayerProps {
  /** The element of the chart. */
  box: RefObject<HTMLElement | null>
  getLayers: () => ChartLayers | null
  symbol: string
  decimals: number
}

/** Half of the handle's 44 px. */
const HALF_PX = 22

/** The price alerts of a symbol on its chart, and the line that the user is placing. */
export function AlertLayer({ box, getLayers, symbol, decimals }: AlertLayerProps) {
  const toast = useToast()
  const query = useAlerts()
  const stored = useStore(placedAlert)
  const placed = stored?.symbol === symbol ? stored : null
  const [isTyping, setIsTyping] = useState(false)
  const [pane] = useState(() => {
    const layers = getLayers()
    return layers && new AlertPane(layers)
  })
  const alerts = useMemo(
    () => (query.data?.data.alerts ?? []).filter((alert) => alert.symbol === symbol && isRunning(alert)),
    [query.data, symbol],
  )
  const alert = alerts.find(({ id }) => id === placed?.id) ?? null
  const level = placed?.level ?? null
  const lines = useMemo(() => {
    const shown: AlertLine[] = alerts.flatMap(({ id, level: at }) =>
      at === null || id === placed?.id ? [] : [{ id, level: at }],
    )
    return level === null ? shown : [...shown, { id: null, level: Number(level) }]
  }, [alerts, placed?.id, level])

  useEffect(() => {
    pane?.start((id) => placedAlert.set({ symbol, id, level: null }))
    // If the chart itself was removed, everything on it has been removed too.
    return () => {
      if (getLayers() !== null) pane?.stop()
    }
  }, [pane, getLayers, symbol])
  useEffect(() => pane?.set(lines), [pane, lines])
  useEffect(() => {
    if (placed?.level !== null) return
    const start = alert?.level?.toFixed(decimals) ?? startLevel(pane) ?? newestPrice(symbol, decimals)
    placedAlert.set(start === null ? null : { ...placed, level: start })
    if (start === null) toast({ tone: 'info', text: t('chart.no_prices') })
  }, [placed, alert, symbol, decimals, pane, toast])
  useEffect(() => () => placedAlert.set(null), [])
  useLayer(placed !== null, cancel)

  if (pane === null || box.current === null) return null
  return (
    <>
      {createPortal(<Bells pane={pane} lines={lines} />, box.current)}
      {placed !== null && level !== null && (
        <Placing
          key={placed.id}
          pane={pane}
          box={box.current}
          symbol={symbol}
          decimals={decimals}
          level={level}
          alert={alert}
          onType={() => setIsTyping(true)}
        />
      )}
      {isTyping &&
        level !== null &&
        // A portal, because the chart around the sheet is left to right in every language.
        createPortal(
          <AlertSheet
            symbol={symbol}
            decimals={decimals}
            alert={alert}
            level={level}
            onClose={() => setIsTyping(false)}
            onDone={cancel}
          />,
          document.body,
        )}
    </>
  )
}

/** A third of the pane below its top: above the newest price on most charts, and beside no button. */
function startLevel(pane: AlertPane | null): string | null {
  return pane === null ? null : pane.levelAt(pane.height / 3)
}

/** The line of a chart without bars starts at the newest price. Null when no price is known. */
function newestPrice(symbol: string, decimals: number): string | null {
  const price = latestTick(symbol)?.price ?? 0
  return price > 0 ? price.toFixed(decimals) : null
}

/** A bell at the beginning of each alert line. */
function Bells({ pane, lines }: { pane: AlertPane; lines: readonly AlertLine[] }) {
  const elements = useRef<(HTMLSpanElement | null)[]>([])
  useLayoutEffect(() => {
    const follow = () => {
      lines.forEach(({ level }, at) => {
        const element = elements.current[at]
        const y = pane.yOf(level)
        if (!element) return
        element.hidden = y === null || y > pane.height
        element.style.transform = `translateY(${(y ?? 0) - 14}px)`
      })
    }
    follow()
    return pane.follow(follow)
  }, [pane, lines])
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 z-1">
      {lines.map(({ id }, at) => (
        <span
          key={id ?? ''}
          ref={(element) => {
            elements.current[at] = element
          }}
          className="absolute top-0 left-2 text-fg-2"
        >
          <Bell size={12} strokeWidth={1.75} />
        </span>
      ))}
    </div>
  )
}

function cancel(): void {
  placedAlert.set(null)
}

interface PlacingProps {
  pane: AlertPane
  box: HTMLElement
  symbol: string
  decimals: number
  level: string
  alert: Parameters<typeof placeAlert>[0]['alert']
  onType: () => void
}

/** The handle of the line that the user is placing, and the bar with which the user saves the alert. */
function Placing({ pane, box, symbol, decimals, level, alert, onType }: PlacingProps) {
  const toast = useToast()
  const handle = useRef<HTMLDivElement>(null)
  const [failure, setFailure] = useState('')
  const [isSaving, setIsSaving] = useState(false)
  const move = (to: string) => {
    setFailure('')
    placedAlert.set({ symbol, id: alert?.id ?? null, level: to })
  }
  const save = async () => {
    setIsSaving(true)
    try {
      await placeAlert({ symbol, level, alert }, latestTick(symbol)?.price ?? 0)
      toast({ tone: 'success', text: t('alerts.saved') })
      cancel()
    } catch (error) {
      setFailure(failureText(error))
    } finally {
      setIsSaving(false)
    }
  }
  useEffect(() => handle.current?.focus(), [])
  useLayoutEffect(() => {
    const follow = () => {
      const y = pane.yOf(Number(level))
      if (handle.current === null || y === null) return
      const inside = Math.min(pane.height, Math.max(0, y))
      handle.current.style.transform = `translate(${pane.width - 3 * HALF_PX}px, ${inside - HALF_PX}px)`
    }
    follow()
    return pane.follow(follow)
  }, [pane, level])
  return (
    <>
      {createPortal(
        <AlertHandle
          ref={handle}
          pane={pane}
          level={level}
          decimals={decimals}
          onMove={move}
          onSave={() => void save()}
          onCancel={cancel}
        />,
        box,
      )}
      <div
        dir="auto"
        className="absolute inset-x-3 bottom-7 z-3 flex flex-wrap items-center gap-x-2 rounded-field bg-surface ps-2 shadow-e2"
      >
        <output className="min-w-28 flex-1 px-1 text-label font-semibold">
          {failure === '' ? t('alerts.at', { price: levelText(Number(level), decimals) }) : failure}
        </output>
        <Button size="s" loading={isSaving} onClick={() => void save()}>
          {t('alerts.save')}
        </Button>
        <Button size="s" variant="secondary" onClick={cancel}>
          {t('trade.cancel')}
        </Button>
        <IconButton
          tight
          label={t('alerts.more')}
          onClick={onType}
          icon={<SlidersHorizontal size={18} strokeWidth={1.75} aria-hidden="true" />}
        />
      </div>
    </>
  )
}
