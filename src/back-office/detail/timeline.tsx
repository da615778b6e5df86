import { Block } from '#back-office/detail/facts.tsx'
import { time } from '#back-office/i18n/format.ts'

interface TimelineStep<Step> {
  readonly step: Step
  readonly at: string
  readonly who: string
  readonly words: string
  readonly reason: string
}

interface TimelineProps<Step> {
  title: string
  steps: readonly TimelineStep<Step>[]
  stepText: (step: Step) => string
}

/** Each step of a payment: when, by whom, what the user reads, and what only staff read. */
export function Timeline<Step>({ title, steps, stepText }: TimelineProps<Step>) {
  return (
    <Block title={title}>
      <ol className="flex flex-col gap-2">
        {steps.map(({ step, at, who, words, reason }, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- steps are only added, and one step can be taken twice
          <li key={place}>
            <p className="flex flex-wrap justify-between gap-x-4">
              <span>{stepText(step)}</span>
              <span className="num text-fg-2">{[who, time(at)].filter((part) => part !== '').join(', ')}</span>
            </p>
            {[words, reason]
              .filter((text) => text !== '')
              .map((text) => (
                <p key={text} className="text-caption break-words text-fg-3">
                  {text}
                </p>
              ))}
          </li>
        ))}
      </ol>
    </Block>
  )
}
