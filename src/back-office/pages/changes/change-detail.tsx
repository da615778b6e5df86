import type { ChangeRow } from '#contract/back-office/changes.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { fieldLabel } from '#messages/back-office/field-label.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffList } from '#back-office/api/queries.ts'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { SidePane } from '#back-office/detail/side-pane.tsx'
import { time } from '#back-office/i18n/format.ts'
import { useOpenOrAnyRow } from '#back-office/list/find-row.ts'
import { RowSearch } from '#back-office/list/row-search.tsx'
import { ChangeState } from '#back-office/pages/changes/change-state.tsx'
import { t } from '#back-office/i18n/t.ts'

const OPEN = { state: 'open' } as const
const ALL = { state: 'all' } as const

/** One change with its values before and after, and the actions on the change. */
export function ChangeDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const open = useStaffList(staffCalls.staffChanges, OPEN)
  const all = useStaffList(staffCalls.staffChanges, ALL)
  const sought = useOpenOrAnyRow({ open, all }, id)
  const { row: change } = sought
  return (
    <SidePane
      title={change === undefined ? t('nav.changes') : t(`waiting.kind_${change.kind}`)}
      subtitle={change?.subject_name}
      onClose={onClose}
    >
      <RowSearch sought={sought} />
      {change && (
        <>
          <ChangeFacts change={change} />
          <DecideChange change={change} />
        </>
      )}
    </SidePane>
  )
}

function ChangeFacts({ change }: { change: ChangeRow }) {
  return (
    <>
      <Block title={t('waiting.state')}>
        <Facts>
          <Fact name={t('waiting.state')}>
            <ChangeState state={change.state} />
          </Fact>
          <Fact name={t('waiting.asked_by')}>{`${change.asked_by}, ${time(change.asked_at)}`}</Fact>
          <Fact name={t('waiting.second_by')}>{change.second_by ?? '–'}</Fact>
          <Fact name={t('waiting.applies')}>{change.applies_at === null ? '–' : time(change.applies_at)}</Fact>
          {change.ended_at !== null && <Fact name={t('waiting.ended')}>{time(change.ended_at)}</Fact>}
          {change.reason !== '' && <Fact name={t('waiting.reason')}>{change.reason}</Fact>}
        </Facts>
      </Block>
      {change.lines.map(({ field, before, after }) => (
        <Block key={field} title={fieldLabel(field)}>
          <Facts>
            {before !== '' && <Fact name={t('waiting.from')}>{before}</Fact>}
            <Fact name={t('waiting.to')}>{after}</Fact>
          </Facts>
        </Block>
      ))}
    </>
  )
}

/** Buttons to approve and to cancel the change. Each is shown only if this staff member may use it. */
function DecideChange({ change }: { change: ChangeRow }) {
  const toast = useToast()
  const { id, content_hash: hash, may_second: maySecond, may_cancel: mayCancel } = change
  const alsoAreas = ['counts', 'staff', 'gateways', 'settings']
  const second = useStaffChange(staffCalls.staffSecondChange, {
    onDone: ({ pending }) =>
      toast({ tone: 'success', text: t('waiting.done_second', { time: time(pending?.applies_at ?? '') }) }),
    alsoAreas,
  })
  const cancel = useStaffChange(staffCalls.staffCancelChange, {
    onDone: () => toast({ tone: 'success', text: t('waiting.done_cancel') }),
    alsoAreas,
  })
  const failure = second.error ?? cancel.error
  const isBusy = second.isPending || cancel.isPending
  return (
    <div className="flex flex-col gap-3">
      {failure !== null && <Alert tone="danger">{failureText(failure)}</Alert>}
      {change.state === 'asked' && !maySecond && <p className="text-fg-2">{t('waiting.own_help')}</p>}
      {change.state === 'waiting' && <p className="text-fg-2">{t('waiting.wait_help')}</p>}
      <div className="flex gap-2">
        {mayCancel && (
          <Button
            variant="danger"
            size="m"
            loading={cancel.isPending}
            onClick={() => {
              if (isBusy) return
              second.reset()
              cancel.mutate({ params: { id } })
            }}
          >
            {t('waiting.cancel')}
          </Button>
        )}
        {maySecond && (
          <Button
            size="m"
            className="flex-1"
            loading={second.isPending}
            onClick={() => {
              if (isBusy) return
              cancel.reset()
              second.mutate({ params: { id }, body: { content_hash: hash } })
            }}
          >
            {t('waiting.second')}
          </Button>
        )}
      </div>
    </div>
  )
}
