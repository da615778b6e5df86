import { readEntry } from '#core/register/entry.ts'
import { instant } from '#core/time/instant.ts'
import { Card } from '#ui/card.tsx'
import type { Reply } from '#web/api/call.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { LoadingCard } from '#web/lists/loading-card.tsx'

/**
 * 100 acts are loaded and 20 shown: the list also contains daily entries about the staff, of which only the newest is
 * shown.
 */
const NEWEST = { query: { limit: 100 } }
const SHOWN_ACTS = 20

/** How many people decide on this site, which changes they made, and which of them are announced. */
export function PeopleSection() {
  const people = useCallQuery('GET /proof/people', {})
  const acts = useCallQuery('GET /proof/acts', NEWEST)
  if (people.data === undefined) return <LoadingCard query={people} />
  if (acts.data === undefined) return <LoadingCard query={acts} />
  const entries = acts.data.data.acts.map(({ index, text }) => ({ index, text, facts: readEntry(text) }))
  const day = entries.find(({ facts }) => facts?.['what'] === 'staff_day')
  const shown = entries.filter(({ facts }) => facts?.['what'] !== 'staff_day').slice(0, SHOWN_ACTS)
  return (
    <>
      <People {...people.data.data} />
      {day?.facts && <StaffDay facts={day.facts} />}
      <section aria-labelledby="acts">
        <h2 id="acts" className="mt-6 mb-2 font-semibold">
          {t('changes.acts')}
        </h2>
        <Card>
          {shown.length === 0 ? (
            <p className="text-small text-fg-2">{t('changes.acts_none')}</p>
          ) : (
            <ul className="flex flex-col gap-2.5">
              {shown.map(({ index, text }) => (
                <Act key={index} text={text} />
              ))}
            </ul>
          )}
        </Card>
      </section>
    </>
  )
}

function People({ approvers, admitted_by_one: byOne, single_operator: isSingle }: Reply<'GET /proof/people'>) {
  return (
    <section aria-labelledby="people">
      <h2 id="people" className="mt-6 mb-2 font-semibold">
        {t('changes.people')}
      </h2>
      <Card>
        <p className="text-small text-fg-2">
          {isSingle ? t('changes.single') : t('changes.approvers', { count: approvers, one: byOne })}
        </p>
      </Card>
    </section>
  )
}

/** How many staff members logged in within a day, and how many changes they made. */
function StaffDay({
  facts: { signed_in: people, changes, applies_ms: untilMs },
}: {
  facts: Readonly<Record<string, unknown>>
}) {
  if (typeof people !== 'number' || typeof untilMs !== 'number') return null
  const counts = typeof changes === 'object' && changes !== null ? Object.values(changes).map(Number) : []
  const total = counts.reduce((sum, count) => sum + count, 0)
  return (
    <p className="mt-2 px-0.5 text-small text-fg-2">
      {t('changes.staff_day', { people, changes: total, time: dayAndTimeText(instant(untilMs)) })}
    </p>
  )
}

const NAMES = {
  gateway: 'changes.act_gateway',
  rate: 'changes.act_rate',
  limits: 'changes.act_limits',
  facts: 'changes.act_facts',
  countries: 'changes.act_countries',
  owner_created: 'changes.act_owner',
  approver_ended: 'changes.act_approver',
} as const

/** One act of the staff. An act of an unknown kind is shown as its text, so that nothing is left out. */
function Act({ text }: { text: string }) {
  const { what, of, applies_ms: appliesMs, people, reason } = readEntry(text) ?? {}
  const kind = String(what).replace(/_cancelled$/, '')
  const name = Object.hasOwn(NAMES, kind) ? t(NAMES[kind as keyof typeof NAMES], { of: String(of) }) : text
  return (
    <li>
      <p className="text-small font-semibold break-words">
        {kind === what ? name : t('changes.act_cancelled', { what: name })}
      </p>
      <p className="flex flex-wrap gap-x-3 text-label text-fg-2 tabular-nums">
        {typeof appliesMs === 'number' && (
          <span>{t('changes.applies', { time: dayAndTimeText(instant(appliesMs)) })}</span>
        )}
        <span>{t(people === 2 ? 'changes.by_two' : 'changes.by_one')}</span>
        {typeof reason === 'string' && reason !== '' && <span className="break-words">{reason}</span>}
      </p>
    </li>
  )
}
