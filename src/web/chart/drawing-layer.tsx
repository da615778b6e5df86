import { type RefObject, useEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '#ui/button.tsx'
import { useLayer } from '#ui/close-on-back.ts'
import { useStore } from '#ui/state/store.ts'
import { useToast } from '#ui/toast.tsx'
import type { ChartLayers } from '#web/chart/chart-layers.ts'
import { type Drawing, DRAWING_KINDS, type DrawingKind, type DrawingPoint } from '#core/charts/drawing.ts'
import { DrawingHandles } from '#web/chart/drawing-handles.tsx'
import { DrawingPane } from '#web/chart/drawing-pane.ts'
import {
  addDrawing,
  changeDrawing,
  chosenTool,
  pickedDrawing,
  removeDrawing,
  useAreDrawingsHidden,
  useDrawings,
} from '#web/chart/drawing-store.ts'
import { DrawingSurface } from '#web/chart/drawing-surface.tsx'
import { t } from '#web/i18n/t.ts'

interface DrawingLayerProps {
  /** The element of the chart. */
  box: RefObject<HTMLElement | null>
  getLayers: () => ChartLayers | null
  symbol: string
}

const NONE: readonly Drawing[] = []

/** The drawings of a symbol on its chart, with the tool in use and the handles of the picked drawing. */
export function DrawingLayer({ box, getLayers, symbol }: DrawingLayerProps) {
  const toast = useToast()
  const stored = useDrawings(symbol)
  const areHidden = useAreDrawingsHidden()
  const tool = useStore(chosenTool)
  const pickedId = useStore(pickedDrawing)
  const [pane] = useState(() => {
    const layers = getLayers()
    return layers && new DrawingPane(layers)
  })
  /** The shape that is being drawn or moved, before it is stored. */
  const [draft, setDraft] = useState<Drawing | null>(null)
  const shown = useMemo(() => {
    const drawings = areHidden ? NONE : stored
    return draft === null ? drawings : [...drawings.filter(({ id }) => id !== draft.id), draft]
  }, [areHidden, stored, draft])
  const picked = shown.find(({ id }) => id === pickedId) ?? null

  useEffect(() => {
    pane?.start(pickedDrawing.set)
    // If the chart itself was removed, everything on it has been removed too.
    return () => {
      if (getLayers() !== null) pane?.stop()
    }
  }, [pane, getLayers])
  useEffect(() => pane?.set(shown, pickedId), [pane, shown, pickedId])
  useEffect(
    () => () => {
      chosenTool.set(null)
      pickedDrawing.set(null)
    },
    [],
  )

  function finish(kind: DrawingKind, points: readonly DrawingPoint[]): void {
    setDraft(null)
    chosenTool.set(null)
    // A chart without bars has no times and prices.
    if (points.length !== DRAWING_KINDS[kind]) {
      toast({ tone: 'info', text: t('chart.no_prices') })
      return
    }
    const added = addDrawing({ symbol, kind, points, colour: 1 })
    if ('id' in added) pickedDrawing.set(added.id)
    else toast({ tone: 'danger', text: t(`desk.full_${added.of}`, { max: added.max }) })
  }

  function cancel(): void {
    setDraft(null)
    chosenTool.set(null)
  }

  useLayer(tool !== null, cancel)
  useLayer(tool === null && picked !== null, () => pickedDrawing.set(null))

  if (pane === null || box.current === null) return null
  return (
    <>
      {createPortal(
        tool !== null ? (
          <DrawingSurface
            key={tool}
            pane={pane}
            kind={tool}
            onDraft={(points) => setDraft({ id: '', symbol, kind: tool, points, colour: 1 })}
            onFinish={(points) => finish(tool, points)}
            onCancel={cancel}
          />
        ) : (
          picked !== null && (
            <DrawingHandles
              pane={pane}
              drawing={picked}
              onMove={(points) => setDraft({ ...picked, points })}
              onMoved={(points) => {
                setDraft(null)
                changeDrawing(picked.id, { points })
              }}
            />
          )
        ),
        box.current,
      )}
      {tool !== null ? (
        <DrawingBar text={t(tool === 'horizontal' ? 'desk.tap_point' : 'desk.tap_points')}>
          <Button size="s" variant="secondary" onClick={() => finish(tool, middleOf(pane, tool))}>
            {t('desk.place_middle')}
          </Button>
          <Button size="s" variant="secondary" onClick={cancel}>
            {t('trade.cancel')}
          </Button>
        </DrawingBar>
      ) : (
        picked !== null && (
          <DrawingBar text={t(`desk.draw_${picked.kind}`)}>
            <Button
              size="s"
              variant="secondary"
              onClick={() => {
                pickedDrawing.set(null)
                removeDrawing(picked.id)
              }}
            >
              {t('desk.delete')}
            </Button>
            <Button size="s" variant="secondary" onClick={() => pickedDrawing.set(null)}>
              {t('common.close')}
            </Button>
          </DrawingBar>
        )
      )}
    </>
  )
}

function DrawingBar({ text, children }: { text: string; children: React.ReactNode }) {
  return (
    <div
      dir="auto"
      className="absolute inset-x-3 top-8 z-3 flex flex-wrap items-center gap-2 rounded-field bg-surface p-2 shadow-e2"
    >
      <output className="min-w-32 flex-1 px-1 text-label font-semibold">{text}</output>
      {children}
    </div>
  )
}

/**
 * Points around the middle of the pane, for users who cannot point. The fields in the list of drawings set the exact
 * points.
 */
function middleOf(pane: DrawingPane, kind: DrawingKind): DrawingPoint[] {
  const { width, height } = pane.size
  const shares = kind === 'horizontal' ? [0.5] : [0.25, 0.75]
  return shares.map((share) => pane.pointAt({ x: width * share, y: height / 2 })).filter((point) => point !== null)
}
