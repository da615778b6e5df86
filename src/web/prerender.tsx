import { renderToStaticMarkup } from 'react-dom/server.browser'
import type { Texts } from '#messages/find-text.ts'
import type { LanguageCode } from '#messages/languages.ts'
import { BottomBar } from '#ui/bottom-bar.tsx'
import { ToastProvider } from '#ui/toast.tsx'
import { sayOwnTexts } from '#web/i18n/catalogue.ts'
import { setCurrentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/t.ts'
import { HomeScreen } from '#web/screens/home/home-screen.tsx'
import { navItems } from '#web/shell/nav-items.ts'

/**
 * Renders the home screen of a visitor on a phone or tablet as HTML. The server runs this with a document that has only
 * the page's data, see `src/server/site/pages/prerender-home.ts`.
 */
export function renderHome(language: LanguageCode, texts: Texts): string {
  setCurrentLanguage(language)
  sayOwnTexts({ language, version: '', texts })
  return renderToStaticMarkup(
    <ToastProvider dismissLabel="">
      {/* An empty bar in place of the wide navigation, which only the browser renders, for the size of its window. */}
      <div className="hidden h-(--header-h) shrink-0 lg:block" />
      <div className="flex min-h-dvh flex-col pb-[calc(var(--tab-h)+env(safe-area-inset-bottom))] md:ps-16 md:pb-0 lg:min-h-[calc(100dvh-var(--header-h))] lg:ps-0">
        <HomeScreen />
      </div>
      <BottomBar
        label={t('shell.main_navigation')}
        items={navItems('home', { isSignedIn: false, isLeaveOnly: false })}
      />
    </ToastProvider>,
  )
}
