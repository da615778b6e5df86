import type { ReactNode } from 'react'
import type { FairnessTimes } from '#contract/fairness.ts'
import { formatCount } from '#ui/format.ts'
import { t } from '#web/i18n/t.ts'
import { durationText } from '#web/i18n/duration-text.ts'
import { FigureList, Section, TooFew } from '#web/screens/fairness/section.tsx'

interface TimeFiguresProps {
  title: string
  /** Describes the start and the end of the measured time. */
  hint: string
  times: FairnessTimes | null
  minUsers: number
  children?: ReactNode
}

/** How long a step took: percentiles of the times, and a histogram. */
export function TimeFigures({ title, hint, times, minUsers, children }: TimeFiguresProps) {
  return (
    <Section title={title}>
      {times === null ? (
        <TooFew minUsers={minUsers} />
      ) : (
        <>
          <FigureList
            figures={[
              { name: t('fairness.median'), value: durationText(times.median_ms) },
              { name: t('fairness.p95'), value: durationText(times.p95_ms) },
              { name: t('fairness.p99'), value: durationText(times.p99_ms) },
            ]}
          />
          <Histogram times={times} />
        </>
      )}
      <p className="text-label text-fg-2">{hint}</p>
      {children}
    </Section>
  )
}

function Histogram({ times: { histogram } }: { times: FairnessTimes }) {
  const maxCount = Math.max(1, ...histogram.map(({ count }) => count))
  return (
    <ul className="flex flex-col gap-1 text-label">
      {histogram.map(({ up_to_ms, count }, at) => (
        <li key={up_to_ms} className="flex items-center gap-3">
          <bdi className="w-20 shrink-0 text-fg-2">
            {up_to_ms === null ? `> ${durationText(histogram[at - 1]?.up_to_ms ?? 0)}` : `≤ ${durationText(up_to_ms)}`}
          </bdi>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="h-3 min-w-0 flex-1" aria-hidden="true">
            <rect width={(count / maxCount) * 100} height="8" fill="var(--brand)" />
          </svg>
          <span className="num w-16 shrink-0 text-end">{formatCount(count)}</span>
        </li>
      ))}
    </ul>
  )
}
