import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { SETTING_GROUPS } from '#back-office/pages/settings/groups.ts'
import { SettingsGroup } from '#back-office/pages/settings/settings-group.tsx'
import { t } from '#back-office/i18n/t.ts'
import { NotLoaded } from '#back-office/list/load-failure.tsx'

/** The settings of the site, a card for each group. Each card is saved separately. */
export function SettingsPage() {
  const query = useStaffQuery(staffCalls.staffSettings, {})
  return (
    <main id="content" className="relative min-w-0 lg:h-dvh lg:overflow-y-auto px-4 pt-4 pb-10 md:px-6">
      <h1 className="text-title">{t('nav.settings')}</h1>
      <p className="pb-4 text-fg-3">{t('settings.intro')}</p>
      {query.data !== undefined ? (
        <div className="grid max-w-[1180px] items-start gap-4 xl:grid-cols-2">
          {SETTING_GROUPS.map((group) => (
            <SettingsGroup key={group.id} group={group} data={query.data} onReload={() => query.refetch()} />
          ))}
        </div>
      ) : (
        <NotLoaded query={query} count={8} />
      )}
    </main>
  )
}
