import { expect, it } from 'vitest'
import { flattenMessages, placesIn } from '#messages/check-text.ts'
import { findMessageUse } from './message-use.ts'

const SECTIONS = ['common', 'shell']

it('finds keys in calls and in tables, whatever the quotes', () => {
  const source = `t('common.close'); const items = { title: "shell.home" }; message(\`common.back\`, language)`
  expect([...findMessageUse(source, SECTIONS).keys]).toEqual(['common.close', 'shell.home', 'common.back'])
})

it('finds the beginnings of keys that are put together', () => {
  expect([...findMessageUse('t(`shell.theme_${value}`)', SECTIONS).prefixes]).toEqual(['shell.theme_'])
})

it('leaves other words with a full stop alone', () => {
  const { keys, prefixes } = findMessageUse(`import '#ui/common.ts'; log('wallet.open'); f('common.a.b')`, SECTIONS)
  expect([...keys, ...prefixes]).toEqual([])
})

it('flattens sections and names places', () => {
  expect([...flattenMessages({ a: { b: 'x', c: { d: 'y' } } })]).toEqual([
    ['a.b', 'x'],
    ['a.c.d', 'y'],
  ])
  expect(placesIn('{to} and {from} and {to}')).toBe('from, to')
})
