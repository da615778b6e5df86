import { expect, it } from 'vitest'
import { flattenMessages, placesIn } from '#messages/check-text.ts'
import { findMessageUse } from './message-use.ts'

const SECTIONS = ['common', 'shell']

it('findMessageUse finds keys in calls and tables, with any quotes', () => {
  const source = `t('common.close'); const items = { title: "shell.home" }; message(\`common.back\`, language)`
  expect([...findMessageUse(source, SECTIONS).keys]).toEqual(['common.close', 'shell.home', 'common.back'])
})

it('findMessageUse finds prefixes of concatenated keys', () => {
  expect([...findMessageUse('t(`shell.theme_${value}`)', SECTIONS).prefixes]).toEqual(['shell.theme_'])
})

it('findMessageUse ignores other texts with a full stop', () => {
  const { keys, prefixes } = findMessageUse(`import '#ui/common.ts'; log('wallet.open'); f('common.a.b')`, SECTIONS)
  expect([...keys, ...prefixes]).toEqual([])
})

it('flattenMessages joins section and name, and placesIn lists placeholders', () => {
  expect([...flattenMessages({ a: { b: 'x', c: { d: 'y' } } })]).toEqual([
    ['a.b', 'x'],
    ['a.c.d', 'y'],
  ])
  expect(placesIn('{to} and {from} and {to}')).toBe('from, to')
})
