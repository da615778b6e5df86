import { Token, Tokenizer, TokenizerMode } from 'parse5'

/** The parts of HTML that matter for its text. */
export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly tag: string; readonly href: string | null }
  | { readonly kind: 'close'; readonly tag: string }

/** Elements whose content is not page text. A browser parses no tags in them either. */
const OPAQUE: ReadonlyMap<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]> = new Map([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['style', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['noscript', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
])

const nothing = (): void => undefined

/**
 * Tokenizes HTML like a browser: text and tags, without scripts, styles, comments or any attribute except a link's
 * address. It builds no tree, so its time is linear in the text's length, whatever the nesting.
 */
export function htmlTokens(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = []
  let opaque: string | null = null
  const text = ({ chars }: Token.CharacterToken): void => {
    if (opaque === null) tokens.push({ kind: 'text', text: chars })
  }
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag(token) {
        const mode = OPAQUE.get(token.tagName)
        if (mode !== undefined) {
          opaque = token.tagName
          tokenizer.state = mode
        } else {
          tokens.push({ kind: 'open', tag: token.tagName, href: Token.getTokenAttr(token, 'href') })
        }
      },
      onEndTag({ tagName }) {
        if (opaque === null) tokens.push({ kind: 'close', tag: tagName })
        else if (opaque === tagName) opaque = null
      },
      onCharacter: text,
      onWhitespaceCharacter: text,
      onNullCharacter: nothing,
      onComment: nothing,
      onDoctype: nothing,
      onEof: nothing,
    },
  )
  tokenizer.write(html, true)
  return tokens
}
