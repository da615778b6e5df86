import { expect, it } from 'vitest'
import { createAddressList, parseRange } from '#server/users/keys/address-list.ts'

it.each(['192.0.2.7', '192.0.2.0/24', '10.0.0.0/8', '2001:db8::1', '2001:db8::/32', '2001:DB8:0:1::/64'])(
  'accepts the address or range %s in the list of a key',
  (text) => {
    expect(parseRange(text)).not.toBeNull()
  },
)

it.each([
  ['a range wider than /8', '10.0.0.0/7'],
  ['all IPv4 addresses', '0.0.0.0/0'],
  ['a range wider than /32', '2001:db8::/31'],
  ['all IPv6 addresses', '::/0'],
  ['a prefix that is too long', '192.0.2.0/33'],
  ['IPv4 in IPv6 form', '::ffff:192.0.2.7'],
  ['all of IPv4 in IPv6 form', '::ffff:0:0/96'],
  ['an address with a zone', 'fe80::1%eth0'],
  ['a name', 'example.org'],
  ['octets with zeros in front', '192.000.002.007'],
  ['an empty text', ''],
  ['a space', ' 192.0.2.7'],
])('refuses %s', (_, text) => {
  expect(parseRange(text)).toBeNull()
})

it.each([
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '::ffff:192.0.2.7', true],
  ['192.0.2.7', '192.0.2.8', false],
  ['192.0.2.0/24', '192.0.2.255', true],
  ['192.0.2.0/24', '192.0.3.0', false],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:db8::1', '2001:0db8:0:0:0:0:0:1', true],
  ['::/32', '192.0.2.7', false],
  ['::/32', '::ffff:192.0.2.7', false],
  ['192.0.2.0/24', 'unknown', false],
  ['192.0.2.0/24', '', false],
])('a list of %s allows %s: %s', (listed, address, has) => {
  expect(createAddressList([listed])(address)).toBe(has)
})

it('an empty list allows every address', () => {
  expect(createAddressList([])('198.51.100.1')).toBe(true)
})
