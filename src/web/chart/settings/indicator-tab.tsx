import Plus from 'lucide-react/icons/plus'
import { useMemo, useRef } from 'react'
import {
  INDICATOR_KINDS,
  type IndicatorKind,
  type IndicatorSettings,
  INDICATORS,
  LINE_COLOURS,
  MAX_INDICATORS,
  mayAdd,
  presetOf,
  readIndicators,
} from '#core/indicators/indicator-settings.ts'
import { List, ListRow } from '#ui/list-row.tsx'
import { IndicatorFields } from '#web/chart/settings/indicator-fields.tsx'
import { t } from '#web/i18n/t.ts'
import { changeDesk, useDesk } from '#web/options/desk.ts'

export interface IndicatorTabProps {
  /** How many indicators can have a pane of their own on this screen. */
  maxPanes: number
  /** How many such panes the chart has room for now. The large chart of phones has room for more. */
  roomForPanes: number
  /** Opens the large chart. */
  onLarge: () => void
  /** Quoted markets have prices but no volume. */
  hasVolume: boolean
}

/** The chosen indicators with their parameters, and the list of all that can be added. */
export function IndicatorTab({ maxPanes, roomForPanes, onLarge, hasVolume }: IndicatorTabProps) {
  const stored = useDesk().indicators
  const chosen = useMemo(() => readIndicators(stored), [stored])
  const heading = useRef<HTMLHeadingElement>(null)
  const panes = chosen.filter(({ kind }) => INDICATORS[kind].place === 'pane').length

  const replace = (index: number, settings: IndicatorSettings | null) => {
    changeDesk({
      indicators: chosen.flatMap((one, at) => (at !== index ? [one] : settings === null ? [] : [settings])),
    })
  }

  function reasonAgainst(kind: IndicatorKind): string | null {
    if (!hasVolume && (kind === 'vwap' || kind === 'volume_average')) return t('desk.no_volume')
    if (chosen.length >= MAX_INDICATORS) return t('desk.full', { max: MAX_INDICATORS })
    if (!mayAdd(kind, chosen)) return t('desk.full_kind', { max: INDICATORS[kind].max })
    return INDICATORS[kind].place === 'pane' && panes >= maxPanes ? t('desk.full_panes', { max: maxPanes }) : null
  }

  return (
    <>
      <h3 ref={heading} tabIndex={-1} className="mb-2 text-label text-fg-2">
        {t('desk.chosen')}
      </h3>
      {chosen.length === 0 && <p className="text-small text-fg-3">{t('desk.none')}</p>}
      <ul className="flex flex-col gap-2">
        {chosen.map((settings, index) => (
          <li key={`${index} ${settings.kind}`} className="card p-3">
            <IndicatorFields
              settings={settings}
              onChange={(next) => replace(index, next)}
              onRemove={() => {
                replace(index, null)
                // The button that had the focus disappears, so the heading takes the focus.
                heading.current?.focus()
              }}
            />
          </li>
        ))}
      </ul>
      <h3 className="mt-4 mb-2 text-label text-fg-2">{t('desk.add')}</h3>
      <List>
        {INDICATOR_KINDS.map((kind) => {
          const reason = reasonAgainst(kind)
          const needsLarge = reason === null && INDICATORS[kind].place === 'pane' && panes >= roomForPanes
          return (
            <ListRow
              key={kind}
              icon={<Plus size={18} strokeWidth={1.75} aria-hidden="true" />}
              label={t(`desk.kind_${kind}`)}
              detail={reason ?? (needsLarge ? t('desk.opens_large') : undefined)}
              value={INDICATORS[kind].name}
              disabled={reason !== null}
              end={null}
              onClick={() => {
                changeDesk({ indicators: [...chosen, presetOf(kind, freeColour(chosen))] })
                if (needsLarge) onLarge()
              }}
            />
          )
        })}
      </List>
    </>
  )
}

/** Returns the first colour that no indicator has, or the one that the fewest have. */
function freeColour(chosen: readonly IndicatorSettings[]): number {
  const uses = Array.from({ length: LINE_COLOURS }, (_, colour) => chosen.filter((one) => one.colour === colour).length)
  return uses.indexOf(Math.min(...uses))
}
