import { Accordion } from '#ui/accordion.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { type MessageKey, t } from '#web/i18n/t.ts'
import { CapsCard } from '#web/screens/no-control/caps-card.tsx'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { LoadingCard } from '#web/lists/loading-card.tsx'
import { readReport } from '#web/screens/no-control/read-report.ts'
import { ReportBlocks } from '#web/screens/no-control/report-section.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import report from '../../../../docs/generated/no-control.md?raw'

/** Headings of the report's sections. A section that is not listed here keeps its heading from the report. */
const TITLES: Readonly<Record<string, MessageKey>> = {
  'What settles an order': 'no_control.settling',
  'The books': 'no_control.books',
  'Calls that change something': 'no_control.calls',
  'When a change by staff counts': 'no_control.effects',
  'What a browser can say on the socket': 'no_control.socket',
  'Commands of the operator': 'no_control.commands',
  'Permissions of staff': 'no_control.permissions',
  'Settings of the site': 'no_control.settings',
  'All other tables': 'no_control.tables',
}

export const NoControlScreen = withData(NoControl)

/** The test report on attempts to influence a result, as the tests wrote it. Open to everyone. */
function NoControl() {
  return (
    <Page
      title={t('screen.no_control')}
      header={<DeepHeader title={t('screen.no_control')} parent="/fairness" isWide />}
      width="wide"
      className="pt-1 pb-8"
    >
      <div className="flex max-w-[72ch] flex-col gap-3 text-small text-fg-2">
        <p>{t('no_control.intro')}</p>
        <p>{t('no_control.names')}</p>
      </div>
      <Card className="mt-4 flex max-w-[72ch] flex-col gap-3 text-small text-fg-2">
        <h2 className="text-heading text-fg">{t('liabilities.not_title')}</h2>
        <p>{t('no_control.not')}</p>
        <ButtonLink href="/check" size="m" className="self-start">
          {t('screen.check')}
        </ButtonLink>
      </Card>
      <h2 className="mt-6 mb-2 text-heading">{t('no_control.found')}</h2>
      <Accordion
        isWide
        items={readReport(report).map(({ title, blocks }) => {
          const key = TITLES[title]
          return {
            key: title,
            title: key === undefined ? title : t(key),
            content: <ReportBlocks blocks={blocks} />,
          }
        })}
      />
      <div className="mt-6 max-w-[72ch]">
        <Figures />
      </div>
    </Page>
  )
}

/** The caps in force and the payments out of goodwill. They load late, so they are below everything else. */
function Figures() {
  const caps = useCallQuery('GET /proof/caps', {})
  const goodwill = useCallQuery('GET /proof/goodwill', {})
  if (caps.data === undefined) return <LoadingCard query={caps} />
  if (goodwill.data === undefined) return <LoadingCard query={goodwill} />
  const { payments: total, payments_90_days: recent } = goodwill.data.data
  return (
    <>
      <CapsCard caps={caps.data.data} />
      <p className="mt-4 text-small text-fg-2">{t('no_control.goodwill', { total, recent })}</p>
    </>
  )
}
