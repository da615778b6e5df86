import { type ReactNode, useId } from 'react'
import { Card } from '#ui/card.tsx'
import { t } from '#web/i18n/t.ts'

/** A group of figures with its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-6">
      <h2 id={id} className="mb-2 text-heading">
        {title}
      </h2>
      <Card className="flex flex-col gap-4">{children}</Card>
    </section>
  )
}

/** Shown instead of figures that could reveal what one user did. */
export function TooFew({ minUsers }: { minUsers: number }) {
  return <p className="text-small text-fg-2">{t('fairness.few', { least: minUsers })}</p>
}

/** Figures side by side, each below its name. */
export function FigureList({ figures }: { figures: readonly { name: string; value: string }[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-x-4 gap-y-3">
      {figures.map(({ name, value }) => (
        <div key={name}>
          <dt className="text-label text-fg-2">{name}</dt>
          <dd className="text-heading font-semibold tabular-nums">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
