import { expect, it } from 'vitest'
import { findVisibleText } from './visible-text.ts'

const wordsIn = (tsx: string) => findVisibleText('x.tsx', tsx, new Set(['UTC'])).map(({ text }) => text)

it.each([
  ['<p>Hello</p>', ['Hello']],
  ["<p>{isNew ? 'New' : old}</p>", ['New']],
  ["<p>{name || 'Nobody'}</p>", ['Nobody']],
  ['<p>{`${count} orders`}</p>', ['orders']],
  ['<button aria-label="Close" />', ['Close']],
  ["<Field label={'Stake'} placeholder={`e.g. ${x}`} />", ['Stake', 'e.g.']],
  ["<Copy labels={{ copy: 'Copy', copied: t('common.copied') }} />", ['Copy']],
  ["<Tabs items={[{ key: 'all', label: 'All' }]} />", ['All']],
  ["function f() { document.title = 'Market' }", ['Market']],
  ['<Sheet closeLabel="Zu" />', ['Zu']],
])('findVisibleText finds text in %s', (tsx, words) => {
  expect(wordsIn(tsx)).toEqual(words)
})

it.each([
  "<p>{t('common.close')}</p>",
  '<p>·  — 24/7 ▲</p>',
  '<span className="num">{time} UTC</span>',
  '<input type="text" autoComplete="username" inputMode="numeric" />',
  "<p>{kind === 'text' && t('common.close')}</p>",
  "<Tabs value=\"all\" items={[{ key: 'all', label: t('market.all') }]} />",
])('findVisibleText ignores %s', (tsx) => {
  expect(wordsIn(tsx)).toEqual([])
})

it('findVisibleText returns the line number', () => {
  expect(findVisibleText('x.tsx', 'const x = (\n  <p>\n    Hello\n  </p>\n)', new Set())).toEqual([
    { line: 3, text: 'Hello' },
  ])
})
