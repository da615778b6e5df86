import { expect, it } from 'vitest'
import { readPush } from './show-push.ts'

const SITE = { origin: 'https://trade.example', name: 'trade.example' }
const read = (notification: object) => readPush(JSON.stringify({ web_push: 8030, notification }), SITE)

it('a push message shows its title and text in their direction, and opens its page', () => {
  const message = {
    title: 'Fairwick',
    body: 'هناك جديد',
    lang: 'ar',
    dir: 'rtl',
    tag: 'a1',
    navigate: 'https://trade.example/n/0195a000-0000-7000-8000-000000000001',
    app_badge: '3',
  }
  expect(read(message)).toEqual({
    title: 'Fairwick',
    options: {
      body: 'هناك جديد',
      lang: 'ar',
      dir: 'rtl',
      tag: 'a1',
      data: { path: '/n/0195a000-0000-7000-8000-000000000001' },
    },
    badge: 3,
  })
})

it('a message that cannot be read is shown too, and leads to the inbox', () => {
  for (const text of [undefined, '', 'no json', 'null', '7', '{}', '{"notification":{"title":4}}'])
    expect(readPush(text, SITE), text).toEqual({
      title: 'trade.example',
      options: { dir: 'auto', data: { path: '/inbox' } },
      badge: null,
    })
})

it.each([
  ['https://other.example/n/x', '/n/x'],
  ['/n/x', '/n/x'],
  ['/inbox', '/inbox'],
  ['https://trade.example/withdraw', '/inbox'],
  ['javascript:alert(1)', '/inbox'],
  ['//', '/inbox'],
])('a press on a message that leads to %s opens %s on this site', (navigate, path) => {
  expect(read({ title: 'x', navigate }).options.data).toEqual({ path })
})
