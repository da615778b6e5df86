import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { failureText, type StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { t } from '#back-office/i18n/t.ts'

type Verified = StaffReply<typeof staffCalls.staffVerifyAudit>

/** A button that verifies that no line of the audit log was changed or lost. */
export function VerifyAudit() {
  const verify = useStaffChange(staffCalls.staffVerifyAudit)
  return (
    <section aria-label={t('audit.chain')} className="mx-4 flex flex-col gap-3 md:mx-6">
      <div className="flex flex-wrap items-center gap-3 rounded-card bg-surface-2 px-4 py-3">
        <p className="min-w-[20ch] flex-1 text-fg-2">{t('audit.chain_why')}</p>
        <Button
          variant="secondary"
          size="s"
          loading={verify.isPending}
          onClick={() => verify.mutate({ body: { noted: '' } })}
        >
          {t('audit.verify')}
        </Button>
      </div>
      {verify.error && <Alert tone="danger">{failureText(verify.error)}</Alert>}
      {verify.data && <Verdict found={verify.data} />}
    </section>
  )
}

function Verdict({ found: { lines, end, broken } }: { found: Verified }) {
  if (broken !== null) {
    return (
      <Alert tone="danger" title={t('audit.not_whole')}>
        {t(`audit.broken_${broken.why}`, { line: broken.seq ?? '?', id: broken.id ?? '?' })}
      </Alert>
    )
  }
  return (
    <Alert tone="success" title={t('audit.whole', { count: lines })}>
      {t('audit.note_end')} <span className="mono break-all">{end}</span>
    </Alert>
  )
}
