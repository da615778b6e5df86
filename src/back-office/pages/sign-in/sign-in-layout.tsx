import type { ReactNode } from 'react'
import { LogoMark } from '#ui/logo.tsx'
import { t } from '#back-office/i18n/t.ts'

/** The frame of the pages before the log-in. */
export function SignInLayout({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="content" className="mx-auto flex min-h-dvh max-w-[400px] flex-col justify-center gap-5 px-4 py-10">
      <div className="flex items-center gap-2.5">
        <LogoMark size={32} />
        <span className="text-small text-fg-2">{t('nav.back_office')}</span>
      </div>
      <h1 className="text-auth">{title}</h1>
      {children}
    </main>
  )
}
