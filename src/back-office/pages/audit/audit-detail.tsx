import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { ChangeDiff } from '#back-office/detail/change-diff.tsx'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { Block, Fact, Facts } from '#back-office/detail/facts.tsx'
import { time } from '#back-office/i18n/format.ts'
import { actionName } from '#back-office/i18n/plain-words.ts'
import { t } from '#back-office/i18n/t.ts'

/** All details of one line of the audit log. */
export function AuditDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const line = useStaffQuery(staffCalls.staffAuditLine, { params: { id } })
  const { data } = line
  return (
    <DetailPane
      title={data ? actionName(data.what) : t('nav.audit')}
      subtitle={data && t('audit.by_at', { who: data.who, time: time(data.at) })}
      query={line}
      onClose={onClose}
    >
      {data && (
        <>
          <Block title={t('audit.change')}>
            <ChangeDiff before={data.before} after={data.after} />
          </Block>
          {data.reason !== '' && (
            <Block title={t('audit.reason')}>
              <p className="rounded-field bg-surface-2 px-3 py-2 break-words">{data.reason}</p>
            </Block>
          )}
          <Block title={t('audit.facts')}>
            <Facts>
              <Fact name={t('audit.code')}>
                <span className="mono break-all">{data.what}</span>
              </Fact>
              <Fact name={t('audit.target')}>
                {data.target_name}
                {data.target_name !== data.target && (
                  <span className="mono block text-caption break-all text-fg-3">{data.target}</span>
                )}
              </Fact>
              <Fact name={t('audit.outcome')}>{t(`audit.${data.outcome}`)}</Fact>
              <Fact name={t('audit.address')}>{data.address || '–'}</Fact>
              <Fact name={t('audit.request')}>
                <span className="mono break-all">{data.request_id || '–'}</span>
              </Fact>
            </Facts>
          </Block>
          <Block title={t('audit.chain')}>
            <Facts>
              <Fact name={t('audit.line')}>{data.seq ?? '–'}</Fact>
              <Fact name={t('audit.hash')}>
                <span className="mono break-all">{data.hash ?? '–'}</span>
              </Fact>
              <Fact name={t('audit.previous_hash')}>
                <span className="mono break-all">{data.previous_hash || '–'}</span>
              </Fact>
            </Facts>
          </Block>
        </>
      )}
    </DetailPane>
  )
}
