// Watches the start of the app, so that a failed or hanging request never leaves an empty page. Plain script without
// imports, because imports may fail. The page loads this script before the files it watches.
const WAITS_MS = [500, 1_500, 4_000]
const LONG_MS = 10_000

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Browsers request a failed module again when it is imported again. */
async function fetchAgain(address) {
  for (const ms of WAITS_MS) {
    await wait(ms)
    try {
      await import(address)
      return
    } catch {
      // The next attempt or the retry button follows.
    }
  }
  offerAnotherTry()
}

/** Loads a failed stylesheet again. An app without styles would work, but users would not trust it. */
async function styleAgain(link) {
  const tries = Number(link.dataset.tries ?? 0)
  if (tries >= WAITS_MS.length) return
  await wait(WAITS_MS[tries])
  const another = link.cloneNode()
  another.dataset.tries = tries + 1
  link.replaceWith(another)
}

/**
 * Shows an error with a retry button. If the app starts later, it replaces this. The classes are those of the app's own
 * error screen.
 */
function offerAnotherTry() {
  const root = document.getElementById('root')
  if (root === null || (root.childElementCount > 0 && document.getElementById('frame') === null)) return
  const texts = JSON.parse(document.getElementById('start-texts').textContent)
  const [reason, again] = texts[chosenLanguage()] ?? texts.en
  const main = document.createElement('main')
  main.setAttribute('role', 'alert')
  main.className = 'm-auto flex min-h-dvh flex-col items-center justify-center gap-4 p-6 text-center'
  const words = document.createElement('p')
  words.textContent = reason
  const button = document.createElement('button')
  button.type = 'button'
  button.className =
    'min-h-11 rounded-chip bg-surface px-4 py-1.5 text-small font-semibold text-fg shadow-[inset_0_0_0_1px_var(--line-strong)]'
  button.textContent = again
  button.addEventListener('click', () => location.reload())
  main.append(words, button)
  document.getElementById('prerendered')?.remove()
  delete document.documentElement.dataset.prerendered
  root.replaceChildren(main)
}

function chosenLanguage() {
  try {
    return localStorage.getItem('lang')
  } catch {
    return null // Storage is blocked.
  }
}

// Load errors do not bubble, but they can be caught in the capture phase.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement && target.type === 'module') void fetchAgain(target.src)
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') void styleAgain(target)
  },
  true,
)
setTimeout(() => {
  // A hanging stylesheet blocks rendering, but a stylesheet that is inserted later does not.
  for (const link of document.querySelectorAll('link[rel=stylesheet]')) if (link.sheet === null) void styleAgain(link)
  offerAnotherTry()
}, LONG_MS)

// Presses on the server's screen before the start: the app repeats the last one once it has drawn.
addEventListener(
  'click',
  (event) => {
    const pressed =
      event.target instanceof Element ? event.target.closest('#prerendered :is(a[href^="/"], button)') : null
    if (pressed === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const { dataset } = document.documentElement
    const part = pressed.closest('main') === null ? 'header' : 'main'
    const buttons = [...document.querySelectorAll(`#prerendered ${part} button`)]
    dataset.pressed = pressed.matches('a') ? pressed.getAttribute('href') : `${part} ${buttons.indexOf(pressed)}`
  },
  true,
)

/** The main font is loaded from the start of the page. Text that is shown before would move when it arrives. */
const FONT = '600 1em "Hanken Grotesk Variable"'
const FONT_WITHIN_MS = 1_500

/** Shows the home screen in the server's page once its styles and its font have loaded. */
async function showPrerendered() {
  await Promise.race([document.fonts.load(FONT), wait(FONT_WITHIN_MS)]).catch(() => {})
  document.documentElement.dataset.styled = ''
  if (location.pathname !== '/') return
  try {
    // Home is seen from now on, so the next page does not lead there first.
    document.cookie = 'visited=1; path=/; samesite=lax'
  } catch {
    // Cookies are blocked.
  }
}

// Such an event reaches the document, but never the window.
document.addEventListener(
  'load',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') void showPrerendered()
  },
  true,
)
