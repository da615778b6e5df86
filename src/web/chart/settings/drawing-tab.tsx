import Minus from 'lucide-react/icons/minus'
import TrendingUp from 'lucide-react/icons/trending-up'
import { useRef, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Switch } from '#ui/checkbox.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import type { DrawingKind } from '#core/charts/drawing.ts'
import {
  hideDrawings,
  removeDrawing,
  removeDrawingsOf,
  takeTool,
  undoDrawing,
  useAreDrawingsHidden,
  useCanUndo,
  useDrawings,
} from '#web/chart/drawing-store.ts'
import { DrawingFields } from '#web/chart/settings/drawing-fields.tsx'
import { t } from '#web/i18n/t.ts'

export interface DrawingTabProps {
  symbol: string
  decimals: number
  /** Called when the user has chosen a tool. The parent must then show the chart. */
  onTool: () => void
}

const TOOLS = { horizontal: Minus, trend: TrendingUp } satisfies Record<DrawingKind, unknown>

/** The tools, and the list of the drawings of this symbol with their prices and times. */
export function DrawingTab({ symbol, decimals, onTool }: DrawingTabProps) {
  const drawings = useDrawings(symbol)
  const areHidden = useAreDrawingsHidden()
  const canUndo = useCanUndo(symbol)
  const [asks, setAsks] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <>
      <List>
        {(['horizontal', 'trend'] as const).map((kind) => {
          const Icon = TOOLS[kind]
          return (
            <ListRow
              key={kind}
              icon={<Icon size={18} strokeWidth={1.75} aria-hidden="true" />}
              label={t(`desk.draw_${kind}`)}
              end={null}
              onClick={() => {
                takeTool(kind)
                onTool()
              }}
            />
          )
        })}
      </List>
      <h3 ref={heading} tabIndex={-1} className="mt-4 mb-2 text-label text-fg-2">
        {t('desk.chosen')}
      </h3>
      {drawings.length === 0 ? (
        <p className="text-small text-fg-3">{t('desk.drawings_none')}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {drawings.map((drawing) => (
            <li key={drawing.id} className="card p-3">
              <DrawingFields
                drawing={drawing}
                decimals={decimals}
                onRemove={() => {
                  removeDrawing(drawing.id)
                  // The button that had the focus disappears, so the heading takes the focus.
                  heading.current?.focus()
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button size="s" variant="secondary" disabled={!canUndo} onClick={() => undoDrawing(symbol)}>
          {t('desk.undo')}
        </Button>
        {drawings.length > 0 && !asks && (
          <Button size="s" variant="secondary" onClick={() => setAsks(true)}>
            {t('desk.delete_all')}
          </Button>
        )}
        <span className="ms-auto flex items-center gap-2 text-small">
          {t('desk.hide_all')}
          <Switch label={t('desk.hide_all')} checked={areHidden} onChange={hideDrawings} />
        </span>
      </div>
      {asks && drawings.length > 0 && (
        <div role="alert" className="mt-3 flex flex-wrap items-center gap-2 text-small">
          <span className="flex-1">{t('desk.delete_all_sure')}</span>
          <Button
            size="s"
            variant="danger"
            onClick={() => {
              removeDrawingsOf(symbol)
              setAsks(false)
              heading.current?.focus()
            }}
          >
            {t('desk.delete_all')}
          </Button>
          <Button size="s" variant="secondary" onClick={() => setAsks(false)}>
            {t('trade.cancel')}
          </Button>
        </div>
      )}
    </>
  )
}
