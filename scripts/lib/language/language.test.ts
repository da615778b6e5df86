import { describe, expect, it } from 'vitest'
import { vagueNames, vagueTitles } from './names.ts'
import { proseProblems, sentencesOfComments, sentencesOfMarkdown } from './prose.ts'
import { deadLinks, unknownCommands, unknownPaths } from './references.ts'

describe('prose', () => {
  it.each([
    ['What the server sends is checked.', 'begins with a clause instead of a subject'],
    ['They are settled later.', 'has a subject without a noun'],
    ['The client is told of it.', 'does not name who sends what to whom'],
    ['The key is made anew.', 'has an old or vague word'],
    ['It waits for so long.', 'has an idiom instead of a number or a fact'],
    ['Users sign in.', 'uses another word than the glossary: log in, log out'],
  ])('refuses "%s"', (sentence, problem) => {
    expect(proseProblems(sentence, true)).toEqual([problem])
  })

  it('refuses more than 30 words, and counts code as one word', () => {
    const words = Array.from({ length: 30 }, () => 'word').join(' ')
    expect(proseProblems(words, true)).toEqual([])
    expect(proseProblems(`${words} \`a b c\``, true)).toEqual(['has 31 words, at most 30 are allowed'])
  })

  it('accepts questions, code and plain sentences', () => {
    for (const sentence of ['What does it cost?', 'Run `sign in anew`.', 'The server sends a reply.'])
      expect(proseProblems(sentence, true), sentence).toEqual([])
  })

  it('in comments, accepts words that the glossary rejects', () => {
    expect(proseProblems('Users sign in.', false)).toEqual([])
  })

  it('reads paragraphs, items and cells of a page, without code', () => {
    const page =
      '# Title\n\nOne two\nthree. Four `a: b`.\n\n    code\n\n```\ncode\n```\n\n- item [text](x.md)\n\n| a | b |\n'
    expect(sentencesOfMarkdown(page)).toEqual([
      { line: 1, text: 'Title' },
      { line: 3, text: 'One two three.' },
      { line: 3, text: 'Four `…`.' },
      { line: 12, text: 'item text' },
      { line: 14, text: 'a' },
      { line: 14, text: 'b' },
    ])
  })

  it('reads comments over several lines, and at the end of a line', () => {
    const source = '/**\n * One\n * two. Three.\n */\nconst a = 1 // four\n// oxlint-disable-next-line x\n'
    expect(sentencesOfComments(source).map(({ text }) => text)).toEqual(['One two.', 'Three.', 'four'])
  })
})

describe('names and titles', () => {
  it('finds declared names with a vague word', () => {
    expect(vagueNames('const mostOrders = 1\nconst orders = told(2)').map(({ text }) => text)).toEqual(['mostOrders'])
  })

  it('finds titles without a subject', () => {
    const tests = "it('is refused', () => {})\nit('refuses the order', () => {})"
    expect(vagueTitles(tests).map(({ text }) => text)).toEqual(['is refused'])
  })
})

describe('references', () => {
  it('finds links to files and headings that do not exist', () => {
    const page = '[a](README.md) [b](no.md) [c](docs/reference/rules.md#nothing) [d](https://example.com)'
    expect(deadLinks('README.md', page).map(({ text }) => text)).toEqual(['no.md', 'docs/reference/rules.md#nothing'])
  })

  it('finds commands and paths that do not exist', () => {
    const page = '`npm run check` `npm run nothing -- x` `src/core/` `src/nothing.ts` `test/support`'
    expect(unknownCommands(page, new Set(['check'])).map(({ text }) => text)).toEqual(['nothing'])
    expect(unknownPaths(page).map(({ text }) => text)).toEqual(['src/nothing.ts'])
  })
})
