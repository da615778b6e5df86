import type { ReactNode } from 'react'
import type { ScreenName } from '#core/navigation/screens.ts'
import { t } from '#web/i18n/t.ts'
import { AuthHeader, DeepHeader, MainHeader } from '#web/shell/headers.tsx'
import { useDocumentTitle } from '#web/shell/use-document-title.ts'

interface ScreenFrameProps {
  screen: ScreenName
  isMain: boolean
  children: ReactNode
}

/** The title, header and frame of a screen whose code has not loaded, so that users can still navigate back. */
export function ScreenFrame({ screen, isMain, children }: ScreenFrameProps) {
  const isAuth = screen === 'login' || screen === 'signup'
  const title = t(`screen.${screen}`)
  useDocumentTitle(title)
  return (
    <div className="flex flex-1 flex-col">
      {isMain ? <MainHeader /> : isAuth ? <AuthHeader /> : <DeepHeader title={title} parent="/" />}
      {(isMain || isAuth) && <h1 className="sr-only">{title}</h1>}
      {children}
    </div>
  )
}
