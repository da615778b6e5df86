// Runs before the first paint, so that nobody sees the wrong theme or direction flash by. Plain and blocking on purpose.
// A block, so that nothing leaks into the page's globals.
{
  const root = document.documentElement
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null // Storage is blocked: the defaults in the page stand.
    }
  }
  const theme = read('theme')
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = theme === 'dark' || (theme === 'system' && systemIsDark) ? 'dark' : 'light'
  if (root.dataset.theme === 'dark')
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', '#0a1013')
  if (read('updown') === 'reverse') root.dataset.updown = 'reverse'
  const lang = read('lang')
  // The app's own codes for Sorani Kurdish and Traditional Chinese mean other languages in BCP 47.
  if (lang) root.lang = { ku: 'ckb', tw: 'zh-Hant-TW' }[lang] ?? lang
  root.dir = lang === 'ar' || lang === 'ku' ? 'rtl' : 'ltr'
}
