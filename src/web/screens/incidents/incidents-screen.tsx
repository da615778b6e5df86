import { useState } from 'react'
import { Segmented } from '#ui/segmented.tsx'
import { withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { IncidentList } from '#web/screens/incidents/incident-list.tsx'
import { LogDays } from '#web/screens/incidents/log-days.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { ProofLinks } from '#web/shell/proof-links.tsx'

export const IncidentsScreen = withData(Incidents)

/** Incidents of prices, and the price log day by day. Open to everyone. */
function Incidents() {
  const [view, setView] = useState<'incidents' | 'days'>('incidents')
  return (
    <Page
      title={t('screen.incidents')}
      header={<DeepHeader title={t('screen.incidents')} crumb={t('page.crumb')} parent="/" />}
      className="pt-1 pb-8"
    >
      <Segmented
        label={t('incidents.view')}
        options={[
          { value: 'incidents', label: t('screen.incidents') },
          { value: 'days', label: t('incidents.days') },
        ]}
        value={view}
        onChange={setView}
        className="mb-4"
      />
      {view === 'incidents' ? <IncidentList /> : <LogDays />}
      <ProofLinks from="incidents" />
    </Page>
  )
}
