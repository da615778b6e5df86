import { createRoot } from 'react-dom/client'
import { App } from '#web/app.tsx'
import { loadLanguage } from '#web/i18n/catalogue.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { loadSettings } from '#web/shell/settings.ts'
import './styles/app.css'

/** The settings are awaited only as far as they matter for the first drawing: the language of a first visit. */
async function start(): Promise<void> {
  const settings = loadSettings()
  const stored = localStorage.getItem('settings') !== null
  const { defaultLanguage } = stored ? { defaultLanguage: null } : await settings
  await loadLanguage(defaultLanguage ?? currentLanguage().code)
  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no #root')
  createRoot(root).render(<App />)
}

void start()
