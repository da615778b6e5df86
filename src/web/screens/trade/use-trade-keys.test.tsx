import { act, fireEvent, renderHook } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { BUY, SELL } from '#core/orders/order.ts'
import { singleKeys } from '#web/options/options.ts'
import { useTradeKeys } from '#web/screens/trade/use-trade-keys.ts'

afterEach(() => {
  act(() => singleKeys.choose('on'))
  document.body.replaceChildren()
})

/** Presses a series of keys, and returns the actions that they cause. */
async function pressing(keys: string): Promise<string[]> {
  const seen: string[] = []
  const search = document.createElement('input')
  search.addEventListener('focus', () => seen.push('search'))
  document.body.append(search)
  const hook = renderHook(() =>
    useTradeKeys(
      {
        search: { current: search },
        onDirection: (direction) => seen.push(direction === BUY ? 'buy' : direction === SELL ? 'sell' : '?'),
        onExpiry: (index) => seen.push(`expiry ${index}`),
        onHelp: () => seen.push('help'),
      },
      true,
    ),
  )
  await userEvent.keyboard(keys)
  hook.unmount()
  return seen
}

test('each listed key works', async () => {
  expect(await pressing('bS15?/')).toEqual(['buy', 'sell', 'expiry 0', 'expiry 4', 'help', 'search'])
})

test('a digit key that types another character, as on French keyboards, works by its position', () => {
  const seen: number[] = []
  const nothing = () => {}
  const search = { current: null }
  renderHook(() =>
    useTradeKeys({ search, onDirection: nothing, onExpiry: (index) => seen.push(index), onHelp: nothing }, true),
  )
  fireEvent.keyDown(document.body, { key: '&', code: 'Digit1' })
  fireEvent.keyDown(document.body, { key: '3', code: 'Digit3', shiftKey: true })
  fireEvent.keyDown(document.body, { key: '@', code: 'Digit2', shiftKey: true })
  expect(seen).toEqual([0, 2])
})

test('a letter key presses the button with this letter, and gives a tab the focus', async () => {
  const pressed: string[] = []
  const add = (letter: string, role?: string) => {
    const button = document.createElement('button')
    button.dataset['key'] = letter
    if (role !== undefined) button.setAttribute('role', role)
    button.addEventListener('click', () => pressed.push(letter))
    document.body.append(button)
    return button
  }
  add('t')
  add('c')
  const tab = add('o', 'tab')
  expect(await pressing('tCn')).toEqual([])
  expect(pressed).toEqual(['t', 'c'])
  expect(document.activeElement).toBe(document.body)
  await pressing('o')
  expect(pressed).toEqual(['t', 'c', 'o'])
  expect(document.activeElement).toBe(tab)
  singleKeys.choose('off')
  await pressing('tco')
  expect(pressed).toHaveLength(3)
})

test('a letter key does not press a tab behind the large chart', async () => {
  const pressed: string[] = []
  const behind = document.createElement('div')
  behind.inert = true
  const tab = document.createElement('button')
  tab.dataset['key'] = 'o'
  tab.setAttribute('role', 'tab')
  tab.addEventListener('click', () => pressed.push('o'))
  behind.append(tab)
  document.body.append(behind)
  await pressing('o')
  expect([pressed, document.activeElement]).toEqual([[], document.body])
})

test('no key works while the user types, or with a modifier', async () => {
  expect(await pressing('/b1?')).toEqual(['search'])
  expect(await pressing('{Control>}b{/Control}{Alt>}s{/Alt}6')).toEqual([])
})

test('the switch turns all keys off', async () => {
  singleKeys.choose('off')
  expect(await pressing('bS1?/')).toEqual([])
})
