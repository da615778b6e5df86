import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, instant } from '#core/time/instant.ts'
import {
  type AddressCountries,
  NO_COUNTRIES,
  openAddressCountries,
  tableAgeDays,
} from '#server/platform/countries/address-countries.ts'
import { clientCountryReader } from '#server/platform/countries/client-country.ts'
import type { Log } from '#server/platform/runtime/ports.ts'
import { mmdbFile } from '#test/support/mmdb-file.ts'

function collectLog() {
  const levels: string[] = []
  const write = (level: string) => () => void levels.push(level)
  const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  return { log, levels }
}

const BUILT_AT = Date.UTC(2026, 0, 1)
let folder: string
let countries: AddressCountries
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countries-'))
  const path = join(folder, 'table.mmdb')
  const networks = [
    ['198.51.100.0/25', 'DE'],
    ['198.51.100.128/25', 'FR'],
    ['10.0.0.0/8', 'US'],
    ['2001:db8::/32', 'PT'],
    ['2001:db9::/32', 'ES'],
  ] as const
  await writeFile(path, mmdbFile(networks, BUILT_AT))
  countries = await openAddressCountries(path, collectLog().log)
})
afterEach(() => rm(folder, { recursive: true }))

describe('the table', () => {
  it.each([
    ['198.51.100.0', 'DE'],
    ['198.51.100.127', 'DE'],
    ['198.51.100.128', 'FR'],
    ['198.51.100.255', 'FR'],
    ['198.51.101.0', null],
    ['2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 'PT'],
    ['2001:db9::', 'ES'],
    ['2001:dba::', null],
    ['::ffff:198.51.100.7', 'DE'],
    ['::ffff:c633:6480', 'FR'],
    ['2002:c633:6407::1', 'DE'],
    ['2002:c633:6480:5::1', 'FR'],
    ['10.1.2.3', null],
    ['2002:0a01:0203::1', null],
    ['127.0.0.1', null],
    ['::1', null],
    ['fe80::1%eth0', null],
    ['nonsense', null],
  ])('OD11.1: finds the country of %s: %s', (address, country) => {
    expect(countries.find(address)).toBe(country)
  })

  it('OD11.1: with only IPv4 addresses finds no country for an IPv6 address', async () => {
    const path = join(folder, 'ipv4.mmdb')
    await writeFile(path, mmdbFile([['2001:db8::/32', 'PT']], BUILT_AT, 4))
    const ipv4 = await openAddressCountries(path, collectLog().log)
    expect([countries.find('2001:db8::1'), ipv4.find('2001:db8::1')]).toEqual(['PT', null])
  })

  it('OD11.1: finds no country for an address whose record is damaged', async () => {
    const path = join(folder, 'damaged.mmdb')
    const bytes = mmdbFile([['198.51.100.0/24', 'DE']], BUILT_AT)
    // Sets the type of the first record to a type that the format does not have.
    bytes[bytes.indexOf('iso_code') - 1] = 0x00
    await writeFile(path, bytes)
    const { log, levels } = collectLog()
    const damaged = await openAddressCountries(path, log)
    expect([damaged.source, damaged.find('198.51.100.7')]).toEqual(['file', null])
    expect(levels.every((level) => level === 'error')).toBe(true)
  })

  it('OD11.1: has an age in whole days since it was built', () => {
    expect([countries.source, countries.builtAt]).toEqual(['file', BUILT_AT])
    expect(tableAgeDays(countries, instant(BUILT_AT + 121 * DAY_MS + 5))).toBe(121)
    expect(tableAgeDays(NO_COUNTRIES, instant(BUILT_AT))).toBeNull()
  })

  it('OD11.1: may be missing or damaged: then every country is unknown and the log reports it', async () => {
    const { log, levels } = collectLog()
    const broken = join(folder, 'broken.mmdb')
    await writeFile(broken, 'no table')
    for (const opened of [
      await openAddressCountries(join(folder, 'none.mmdb'), log),
      await openAddressCountries(broken, log),
      await openAddressCountries(undefined, log, 'a-package-that-is-not-installed'),
    ])
      expect([opened.source, opened.find('198.51.100.7')]).toEqual(['none', null])
    expect(levels).toEqual(['error', 'error', 'warn'])
  })

  it('OD11.1: is that of the optional package unless the operator names a file', async () => {
    const packaged = await openAddressCountries(undefined, collectLog().log)
    expect([packaged.source, packaged.find('193.0.6.139'), packaged.find('2001:67c:2e8::1')]).toEqual([
      'package',
      'NL',
      'NL',
    ])
  })
})

describe('the country of a request', () => {
  const request = (peer: string, headers: Record<string, string>) =>
    ({ headers, socket: { remoteAddress: peer } }) as unknown as IncomingMessage
  const read = (trustedProxies: string[], header: string | null = 'cf-ipcountry') =>
    clientCountryReader({ header: header ?? undefined, trustedProxies, countries })

  it('OD11.1: is not read from a header that no trusted proxy sent', () => {
    const forged = request('198.51.100.7', { 'cf-ipcountry': 'JP', 'x-forwarded-for': '2001:db8::1' })
    expect(read([])(forged)).toBe('DE')
    expect(read(['203.0.113.1'])(forged)).toBe('DE')
  })

  it('OD11.1: is read first from the header of a trusted proxy', () => {
    const headers = { 'cf-ipcountry': 'jp', 'x-forwarded-for': '198.51.100.7' }
    expect(read(['203.0.113.1'])(request('203.0.113.1', headers))).toBe('JP')
    expect(read(['203.0.113.1'], null)(request('203.0.113.1', headers))).toBe('DE')
  })

  it.each(['XX', 'EU', 'T1', '', 'JP, DE', 'Japan'])(
    'OD11.1: is that of the table when the header names none: %j',
    (named) => {
      const headers = { 'cf-ipcountry': named, 'x-forwarded-for': '198.51.100.7' }
      expect(read(['203.0.113.1'])(request('203.0.113.1', headers))).toBe('DE')
    },
  )
})
