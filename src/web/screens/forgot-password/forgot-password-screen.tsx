import { useState } from 'react'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'
import { AddressForm } from '#web/screens/forgot-password/address-form.tsx'
import { CodeForm } from '#web/screens/forgot-password/code-form.tsx'
import { keepAddress, storedAddress } from '#web/screens/forgot-password/reset-address.ts'
import { AuthHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'

/** Step one requests the address of the account, step two the code sent there. */
export function ForgotPasswordScreen() {
  const [address, setAddress] = useState(storedAddress)
  const choose = (next: string) => {
    keepAddress(next === '' ? null : next)
    setAddress(next)
  }
  return (
    <Page title={t('screen.forgot_password')} header={<AuthHeader />} className="pt-3 lg:pt-12">
      <div className="flex flex-1 flex-col md:mx-auto md:w-full md:max-w-[480px] md:flex-none">
        <h1 className="text-auth">{t('forgot_password.title')}</h1>
        {address === '' ? (
          <AddressForm onSent={choose} />
        ) : (
          <CodeForm key={address} address={address} onOther={() => choose('')} />
        )}
        <p className="mt-2 text-center">
          <Link href="/login" className="inline-flex min-h-11 items-center font-semibold text-brand">
            {t('forgot_password.back_to_login')}
          </Link>
        </p>
      </div>
    </Page>
  )
}
