import type { FeedHealth } from '#contract/back-office/dashboard.ts'
import { cx } from '#ui/cx.ts'
import { Pill } from '#ui/pill.tsx'
import { unusedText } from '#back-office/pages/dashboard/unused-text.ts'
import { shortTime } from '#back-office/i18n/format.ts'
import { sourceMark } from '#back-office/i18n/source-mark.ts'
import { t } from '#back-office/i18n/t.ts'

type Row = FeedHealth['symbols'][number]
type Source = Row['sources'][number]

export const FRESHNESS_DOT = {
  fresh: 'bg-ok',
  stale: 'bg-warn',
  none: 'bg-danger',
  closed: 'bg-line-strong',
} as const
const SOURCE_DOT = { well: 'bg-ok', silent: 'bg-warn', late: 'bg-warn', refused: 'bg-danger' } as const
const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** Each symbol with a list of its sources. The source in use is bold. */
export function FeedTable({ symbols }: { symbols: readonly Row[] }) {
  return (
    <table className="w-full text-label">
      <thead>
        <tr className="text-caption text-fg-3">
          <Head className="text-start">{t('dashboard.symbol')}</Head>
          <Head className="text-start">{t('common.state')}</Head>
          <Head className="text-start">{t('dashboard.source')}</Head>
          <Head className="ps-3 text-end">{t('dashboard.age')}</Head>
          <Head className="ps-3 text-end">{t('dashboard.latency')}</Head>
        </tr>
      </thead>
      {symbols.map((row) => (
        <SymbolRows key={row.code} row={row} />
      ))}
    </table>
  )
}

function Head({ className, children }: { className: string; children: string }) {
  return (
    <th scope="col" className={cx('sticky top-0 bg-surface py-1.5 font-medium', className)}>
      {children}
    </th>
  )
}

function SymbolRows({ row }: { row: Row }) {
  const { code, state, doubt, sources } = row
  const height = Math.max(1, sources.length)
  const [first, ...others] = sources
  return (
    <tbody className="border-t border-line">
      <tr>
        <th scope="rowgroup" rowSpan={height} className="py-1.5 pe-3 text-start align-top font-list">
          {code}
        </th>
        <td rowSpan={height} className="py-1.5 pe-3 align-top">
          <span className="inline-flex items-center gap-1.5">
            <i aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', FRESHNESS_DOT[state])} />
            {t(`dashboard.feed_${state}`)}
          </span>
          {doubt !== null && (
            <span className="block pt-0.5 text-caption font-semibold text-warn">{t(`dashboard.doubt_${doubt}`)}</span>
          )}
        </td>
        {first === undefined ? <UnwatchedSource row={row} /> : <SourceCells source={first} />}
      </tr>
      {others.map((source) => (
        <tr key={`${source.provider} ${source.symbol}`}>
          <SourceCells source={source} />
        </tr>
      ))}
    </tbody>
  )
}

function SourceCells({ source }: { source: Source }) {
  const {
    provider,
    symbol,
    state,
    is_used: isUsed,
    age_ms: ageMs,
    latency_ms: latencyMs,
    rests_until: restsUntil,
    unused,
  } = source
  const mark = sourceMark(provider)
  return (
    <>
      <td className="py-1.5">
        <span className={cx('inline-flex flex-wrap items-center gap-x-1.5', isUsed ? 'text-fg' : 'text-fg-3')}>
          <i aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', SOURCE_DOT[state])} />
          <b className={cx(isUsed ? 'font-semibold' : 'font-normal')}>{provider}</b>
          <span className="mono text-caption">{symbol}</span>
          <span className="text-caption">
            {t(isUsed ? 'dashboard.source_used' : 'dashboard.source_standing_by')}
            {state !== 'well' && ` · ${t(`dashboard.source_${state}`)}`}
            {restsUntil !== null && ` · ${t('dashboard.source_rests', { time: shortTime(restsUntil) })}`}
          </span>
          {mark !== null && <Pill tone="warn">{mark}</Pill>}
        </span>
        {unused.length > 0 && (
          <span className="block ps-3.5 text-caption text-fg-3">
            {t('dashboard.unused', { counts: unusedText(unused) })}
          </span>
        )}
      </td>
      <td className="num py-1.5 ps-3 text-end whitespace-nowrap">{span(ageMs)}</td>
      <td className="num py-1.5 ps-3 text-end whitespace-nowrap">
        {latencyMs === null ? '–' : milliseconds(latencyMs)}
      </td>
    </>
  )
}

/** The cells of a symbol without external sources. They show only the source and the age of its newest price. */
function UnwatchedSource({ row: { source, age_ms: ageMs } }: { row: Row }) {
  const mark = sourceMark(source)
  return (
    <>
      <td className="py-1.5 text-fg-2">
        <span className="inline-flex items-center gap-1.5">
          {source ?? '–'} {mark !== null && <Pill tone="warn">{mark}</Pill>}
        </span>
      </td>
      <td className="num py-1.5 ps-3 text-end whitespace-nowrap">{span(ageMs)}</td>
      <td className="num py-1.5 ps-3 text-end whitespace-nowrap">–</td>
    </>
  )
}

function span(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < MINUTE_MS) return t('dashboard.seconds', { count: (ms / SECOND_MS).toFixed(1) })
  return t('age.minutes', { count: Math.floor(ms / MINUTE_MS) })
}

function milliseconds(ms: number): string {
  return t('dashboard.milliseconds', { count: String(Math.round(ms)).replace('-', '\u2212') })
}
