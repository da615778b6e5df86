/**
 * Invisible characters: default-ignorable and format characters, controls other than tab and line feed, lone
 * surrogates, private use, noncharacters, and blank characters outside the space category. NUL is left in: requests
 * that contain it are refused as a whole.
 */
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB\u2800\u{1D159}\u{13430}-\u{1343F}\u{16FE4}]/u
const ALLOWED_CONTROLS = '\t\n\0'
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/** Scripts in which a joiner or non-joiner between two letters changes the spelling of a word. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const PICTURE = /\p{Extended_Pictographic}/u
const PICTURE_END = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u
const TAG = /[\u{E0061}-\u{E007A}\u{E007F}]/u
const VARIATION = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u
const BLACK_FLAG = '\u{1F3F4}'
const KEYCAP = '\u20E3'

/**
 * Normalises a text for storage: NFC, line feeds as line ends, trimmed, without invisible characters. Joiners stay
 * where a script or an emoji needs them.
 */
export function normaliseText(text: string): string {
  const lined = text.replace(LINE_ENDS, '\n').normalize('NFC')
  return (isAnyInvisible(lined) ? withoutInvisible(lined).normalize('NFC') : lined).trim()
}

/** Normalises a one-line text for storage. Each run of white space becomes one space. */
export function normaliseLine(text: string): string {
  return normaliseText(text).replace(/\s+/g, ' ')
}

/** Tests the whole text first, because most texts have no invisible character. */
function isAnyInvisible(text: string): boolean {
  return INVISIBLE.test(text) && Array.from(text).some(isInvisible)
}

function isInvisible(letter: string): boolean {
  return INVISIBLE.test(letter) && !ALLOWED_CONTROLS.includes(letter)
}

function withoutInvisible(text: string): string {
  const letters = Array.from(text)
  const nextVisible = nextVisibleOf(letters)
  const visibleLetters: string[] = []
  for (const [at, letter] of letters.entries()) {
    if (!isInvisible(letter) || isNeeded(visibleLetters.at(-1) ?? '', letter, nextVisible[at] ?? ''))
      visibleLetters.push(letter)
  }
  return visibleLetters.join('')
}

/**
 * Returns the next visible letter after each letter. One pass from the end keeps this linear, even for a text of
 * joiners only.
 */
function nextVisibleOf(letters: readonly string[]): string[] {
  const next: string[] = []
  for (let at = letters.length - 2; at >= 0; at -= 1) {
    const letter = letters[at + 1] ?? ''
    next[at] = isInvisible(letter) ? (next[at + 1] ?? '') : letter
  }
  return next
}

function isNeeded(before: string, letter: string, after: string): boolean {
  if (letter === '\u200C' || letter === '\u200D') {
    if (JOINING.test(before) && JOINING.test(after)) return true
    return letter === '\u200D' && PICTURE_END.test(before) && PICTURE.test(after)
  }
  if (TAG.test(letter)) return before === BLACK_FLAG || TAG.test(before)
  if (!VARIATION.test(letter)) return false
  if (/\p{Script=Han}/u.test(before)) return true
  if (letter !== '\uFE0E' && letter !== '\uFE0F') return false
  return PICTURE.test(before) || (/[#*0-9]/.test(before) && after === KEYCAP)
}
