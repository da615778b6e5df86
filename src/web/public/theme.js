// Runs before the first paint, so that no wrong theme or direction flashes. Plain and blocking on purpose.
const html = document.documentElement

function stored(key) {
  try {
    return localStorage.getItem(key)
  } catch {
    return null // Storage is blocked: the defaults of the page apply.
  }
}

const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches
const theme = stored('theme') ?? html.dataset.themeUsual
if (theme === 'dark' || (theme === 'system' && systemIsDark)) {
  html.dataset.theme = 'dark'
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', '#0a1013')
}
if (stored('updown') === 'red') html.dataset.updown = 'reverse'

const lang = stored('lang')
// The app's codes for Sorani Kurdish and Traditional Chinese mean other languages in BCP 47.
if (lang) html.lang = { ku: 'ckb', tw: 'zh-Hant-TW' }[lang] ?? lang
if (lang) html.dir = lang === 'ar' || lang === 'ku' ? 'rtl' : 'ltr'
// The server wrote the screen of a visitor, in the language of a cookie.
if (stored('session') || (lang && lang !== html.dataset.lang)) html.dataset.ownScreen = ''
// If the operator has a logo, our logo is not shown while it loads.
if (/"logo_url":"[^"]/.test(stored('settings') ?? '')) html.dataset.ownLogo = ''
