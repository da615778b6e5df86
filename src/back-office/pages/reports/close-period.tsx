import { useState } from 'react'
import type { ReportSummary } from '#contract/back-office/reports.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'

/** When and by whom the period was closed, or the button that closes it. */
export function ClosePeriod({ report }: { report: ReportSummary }) {
  const { closed, closable_at: closableAt } = report
  const [openedAt] = useState(() => Date.now())
  if (closed !== null) {
    return (
      <section className="card p-5">
        <p className="font-semibold">{t('reports.closed', { time: time(closed.at), name: closed.by })}</p>
        <p className="pt-1 text-caption text-fg-3">{t('reports.hash')}</p>
        <p className="mono text-caption break-all">{closed.sha256}</p>
      </section>
    )
  }
  if (Date.parse(closableAt) > openedAt) {
    return <p className="text-caption text-fg-3 print:hidden">{t('reports.closable', { time: time(closableAt) })}</p>
  }
  return <CloseButton report={report} />
}

function CloseButton({ report: { from, to, zone } }: { report: ReportSummary }) {
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const close = useStaffChange(staffCalls.staffCloseReport, {
    onDone: () => {
      setAsking(false)
      toast({ tone: 'success', text: t('reports.closed_now') })
    },
  })
  if (!isAsking) {
    return (
      <Button variant="secondary" size="m" className="self-start print:hidden" onClick={() => setAsking(true)}>
        {t('reports.close')}
      </Button>
    )
  }
  return (
    <section aria-label={t('reports.close')} className="card flex flex-col gap-3 p-5 print:hidden">
      <h2 className="text-heading font-semibold">{t('reports.close_question')}</h2>
      <p className="text-fg-2">{t('reports.close_text')}</p>
      {close.error && <Alert tone="danger">{failureText(close.error)}</Alert>}
      <div className="flex flex-wrap gap-2">
        <Button size="m" loading={close.isPending} onClick={() => close.mutate({ body: { from, to, zone } })}>
          {t('reports.close')}
        </Button>
        <Button variant="quiet" size="m" onClick={() => setAsking(false)}>
          {t('reports.cancel')}
        </Button>
      </div>
    </section>
  )
}
