import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import { useEffect } from 'react'
import type { TaskOut } from '#contract/tasks.ts'
import { Card } from '#ui/card.tsx'
import { cx } from '#ui/cx.ts'
import { groupedNumber } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { LoadError, Skeleton } from '#ui/states.tsx'
import { failureText } from '#web/api/call-failure.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { updateUser } from '#web/session/session.ts'
import { useDepositsAreOpen } from '#web/site/settings.ts'

/** The page on which the user does each task. */
const PLACES: Readonly<Record<string, string>> = {
  verify: '/profile/verification',
  profile: '/profile/edit',
  pin: '/account/withdraw-pin',
  deposit: '/deposit',
  trade: '/trade',
  check: '/history/transaction',
  days: '/trade',
}

/** The height of the placeholder in px. With its padding it is as high as the meter and the rows of 44 px. */
const LOADING_HEIGHT = 26 + 44 * Object.keys(PLACES).length

/** The beginner tasks with their rewards; hidden once all are paid. */
export function TasksCard({ className }: { className?: string }) {
  const query = useCallQuery('GET /user/tasks', {})
  const data = query.data?.data
  const points = data?.points
  // The request itself can pay a reward, so the points of the user are updated.
  useEffect(() => {
    if (points !== undefined) updateUser({ points })
  }, [points])
  if (data && data.earned >= data.total) return null
  return (
    <section aria-labelledby="tasks-title" className={className}>
      <div className="mt-3.5 mb-1.5 flex items-baseline justify-between gap-3 px-0.5 text-label text-fg-3">
        <h2 id="tasks-title" className="font-semibold">
          {t('tasks.title')}
        </h2>
        {data && (
          <p className="tabular-nums">
            {t('tasks.progress', { earned: whole(data.earned), total: whole(data.total) })}
          </p>
        )}
      </div>
      <Card padded={false}>
        {data ? (
          <>
            <Meter share={data.earned / data.total} />
            <p className="px-4 pt-1 text-caption text-fg-3">
              {t('tasks.done', {
                done: data.tasks.filter((task) => task.paid_at !== null).length,
                all: data.tasks.length,
              })}
            </p>
            <ul className="pb-1">
              {data.tasks.map((task) => (
                <li key={task.key}>
                  <TaskRow task={task} />
                </li>
              ))}
            </ul>
          </>
        ) : query.isError ? (
          <LoadError
            reason={failureText(query.error)}
            retryLabel={t('common.try_again')}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : (
          <div aria-busy="true" className="p-4">
            <Skeleton height={LOADING_HEIGHT} />
          </div>
        )}
      </Card>
    </section>
  )
}

/** The earned share as a meter. The figures above state it in text. */
function Meter({ share }: { share: number }) {
  return (
    <div aria-hidden="true" className="px-4 pt-4 pb-1">
      <div className="h-2 overflow-hidden rounded-full bg-surface-3">
        <i className="block h-full rounded-full bg-brand" style={{ width: `${Math.round(share * 100)}%` }} />
      </div>
    </div>
  )
}

function TaskRow({ task }: { task: TaskOut }) {
  const isPaid = task.paid_at !== null
  const place = PLACES[task.key]
  const depositsAreOpen = useDepositsAreOpen()
  const leads = !isPaid && place !== undefined && (depositsAreOpen || task.key !== 'deposit')
  const Icon = isPaid ? CircleCheck : CircleDashed
  const face = (
    <>
      <Icon
        size={18}
        strokeWidth={1.75}
        className={cx('shrink-0', isPaid ? 'text-ok' : 'text-fg-3')}
        aria-hidden="true"
      />
      <span className={cx('min-w-0 flex-1', isPaid && 'text-fg-2')}>
        {!isPaid && <span className="sr-only">{t('tasks.open')}: </span>}
        {task.title}
        {task.goal > 1 && !isPaid && (
          <span className="tabular-nums block text-caption text-fg-3">
            {t('tasks.steps', { done: task.progress, goal: task.goal })}
          </span>
        )}
      </span>
      <span className={cx('num text-label font-semibold', isPaid ? 'text-ok' : 'text-fg-2')}>
        {whole(task.amount)}
        {isPaid && <span className="sr-only">{t('tasks.paid')}</span>}
      </span>
      {leads ? (
        <ChevronRight size={18} className="flip shrink-0 text-fg-3" aria-hidden="true" />
      ) : (
        <span className="w-4.5" />
      )}
    </>
  )
  const row = 'flex min-h-11 items-center gap-3 px-4 py-1'
  return leads ? (
    <Link href={place} className={cx(row, 'hover:bg-surface-2 focus-visible:-outline-offset-2')}>
      {face}
    </Link>
  ) : (
    <div className={row}>{face}</div>
  )
}

/** Formats credits, without cents if there are none. */
function whole(amount: number): string {
  return groupedNumber(amount.toFixed(2)).replace(/\.00$/, '')
}
