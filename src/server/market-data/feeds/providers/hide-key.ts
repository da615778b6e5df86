import type { ProviderSink } from '#server/market-data/feeds/providers/provider.ts'

/** Takes a key out of a text. */
export type HideKey = (text: string) => string

const HIDDEN = '…'
/** A shorter key is no secret, and may be part of a word: it is hidden where it stands alone. */
const MIN_SECRET = 8
/** A beginning of the key as long as this is hidden, too, at the end of a text: there it was cut. */
const MIN_BEGINNING = 4

/** Makes texts of a provider safe to keep: our key, which some of them repeat, is cut out in each form it may have. */
export function createHideKey(key: string | undefined): HideKey {
  if (key === undefined || key === '') return (text) => text
  const forms = [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])]
  return (text) => forms.reduce(hide, text)
}

function hide(text: string, form: string): string {
  if (form.length < MIN_SECRET)
    return text.replaceAll(new RegExp(String.raw`(?<!\w)${form.replaceAll(/\W/g, String.raw`\$&`)}(?!\w)`, 'g'), HIDDEN)
  const hidden = text.replaceAll(form, HIDDEN)
  for (let length = form.length - 1; length >= MIN_BEGINNING; length -= 1)
    if (hidden.endsWith(form.slice(0, length))) return hidden.slice(0, -length) + HIDDEN
  return hidden
}

/** The same sink, whose troubles never name the key. */
export function withoutKey(sink: ProviderSink, hideKey: HideKey): ProviderSink {
  return {
    quote: (quote) => sink.quote(quote),
    alive: (symbol, time) => sink.alive(symbol, time),
    connected: () => sink.connected(),
    unused: (symbol, reason) => sink.unused(symbol, reason),
    trouble(trouble) {
      const why = hideKey(trouble.why)
      // What a refusal names may be the key as well.
      if (trouble.kind !== 'refused' || trouble.symbol === null) return sink.trouble({ ...trouble, why })
      sink.trouble({ ...trouble, symbol: hideKey(trouble.symbol), why })
    },
  }
}
