// Minds the start of the app: whatever cannot be fetched or hangs, nobody is left before an empty page. Plain and
// without imports, since imports are what may fail; before all that it minds, so that it misses nothing.
const WAITS_MS = [500, 1_500, 4_000]
const LONG_MS = 10_000

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Browsers ask anew for what failed once it is imported again. */
async function fetchAgain(address) {
  for (const ms of WAITS_MS) {
    await wait(ms)
    try {
      await import(address)
      return
    } catch {
      // The next try, or the button.
    }
  }
  offerAnotherTry()
}

/** Without its styles the app would work, but nobody would trust it. */
async function styleAgain(link) {
  const tries = Number(link.dataset.tries ?? 0)
  if (tries >= WAITS_MS.length) return
  await wait(WAITS_MS[tries])
  const another = link.cloneNode()
  another.dataset.tries = tries + 1
  link.replaceWith(another)
}

/** The app draws over this as soon as it can after all. Looks as its own failed screen, with classes used there. */
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
  root.replaceChildren(main)
}

function chosenLanguage() {
  try {
    return localStorage.getItem('lang')
  } catch {
    return null // Storage is blocked.
  }
}

// What failed to load does not bubble, but it can be caught on its way down.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement && target.type === 'module') void fetchAgain(target.src)
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') void styleAgain(target)
  },
  true,
)
setTimeout(() => {
  // Styles that hang keep everything else from being shown; those that are put in later do not.
  for (const link of document.querySelectorAll('link[rel=stylesheet]')) if (link.sheet === null) void styleAgain(link)
  offerAnotherTry()
}, LONG_MS)
