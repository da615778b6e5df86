import { useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Card } from '#ui/card.tsx'
import { LoadError, Skeleton } from '#ui/states.tsx'
import { type CountryList, useLoadedCountries } from '#web/api/use-countries.ts'
import { t } from '#web/i18n/t.ts'
import { EditProfileForm } from '#web/screens/edit-profile/edit-profile-form.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { type User, useSession } from '#web/session/session.ts'

export function EditProfileScreen() {
  const user = useSession()?.user
  const countries = useLoadedCountries()
  if (user === undefined) return null // After a log-out there is no user, and the navigation rules redirect.
  return (
    <Page
      title={t('screen.edit_profile')}
      header={<DeepHeader title={t('screen.edit_profile')} parent="/profile" />}
      className="pt-1 pb-8"
    >
      {countries.state === 'loading' && <FormLoading />}
      {countries.state === 'failed' && (
        <Card padded={false}>
          <LoadError
            reason={t('edit_profile.countries_failed')}
            retryLabel={t('common.try_again')}
            onRetry={countries.retry}
          />
        </Card>
      )}
      {countries.state === 'ready' && <Editor user={user} countries={countries.data} />}
    </Page>
  )
}

function Editor({ user, countries }: { user: User; countries: CountryList }) {
  const [isSaved, setSaved] = useState(false)
  return (
    <div className="flex flex-col gap-3">
      {isSaved && <Alert tone="success">{t('edit_profile.updated')}</Alert>}
      <EditProfileForm
        user={user}
        countries={countries}
        onSending={() => setSaved(false)}
        onSaved={() => setSaved(true)}
      />
    </div>
  )
}

function FormLoading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only">{t('common.loading')}</span>
      {['name', 'username', 'country', 'mobile'].map((field) => (
        <Skeleton key={field} height={56} width="100%" />
      ))}
    </div>
  )
}
