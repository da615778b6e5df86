import { expect, it } from 'vitest'
import { siteOf, subnetOf } from '#server/platform/limits/subnet.ts'

it.each([
  ['192.0.2.1', '192.0.2.1', null],
  ['::ffff:192.0.2.1', '192.0.2.1', null],
  ['::FFFF:c000:201', '192.0.2.1', null],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1', null],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::6', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['', '', null],
])('A9: counts %s as the network %s and the site %s', (address, network, site) => {
  expect([subnetOf(address), siteOf(address)]).toEqual([network, site])
})
