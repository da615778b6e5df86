import type { ProviderSink } from '#server/market-data/feeds/providers/provider.ts'

/** Removes a key from a text. */
export type HideKey = (text: string) => string

const HIDDEN = '…'
/** A key of fewer than 8 characters is not a secret and may be part of a word, so only a separate occurrence is hidden. */
const MIN_SECRET = 8
/** The first 4 or more characters of the key are hidden at the end of a text too, where it may have been cut off. */
const MIN_BEGINNING = 4

/** Makes texts of a provider safe to store: removes our key, which some providers repeat, in each form it may have. */
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

/** Wraps a sink so that reported problems never contain the key. */
export function withoutKey(sink: ProviderSink, hideKey: HideKey): ProviderSink {
  return {
    quote: (quote) => sink.quote(quote),
    alive: (symbol, time) => sink.alive(symbol, time),
    connected: () => sink.connected(),
    unused: (symbol, reason, back) => sink.unused(symbol, reason, back),
    trouble(trouble) {
      const why = hideKey(trouble.why)
      // The symbol of a refusal may contain the key too.
      if (trouble.kind !== 'refused' || trouble.symbol === null) return sink.trouble({ ...trouble, why })
      sink.trouble({ ...trouble, symbol: hideKey(trouble.symbol), why })
    },
  }
}
