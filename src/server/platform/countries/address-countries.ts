import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { createRequire } from 'node:module'
import { Reader } from 'mmdb-lib'
import { z } from 'zod'
import { DAY_MS, type Instant, instant } from '#core/time/instant.ts'
import { publicAddress } from '#server/platform/countries/public-address.ts'
import type { Log } from '#server/platform/runtime/ports.ts'

/** The optional package with a table of addresses. */
const PACKAGED_TABLE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/** Finds the country of an address in a table. */
export interface AddressCountries {
  /** The ISO code. Null for private addresses and addresses that the table does not know. */
  find(address: string): string | null
  /** Where the table is from. */
  readonly source: 'file' | 'package' | 'none'
  readonly builtAt: Instant | null
}

export const NO_COUNTRIES: AddressCountries = { find: () => null, source: 'none', builtAt: null }

/**
 * Opens the operator's `.mmdb` file, or else the table of the optional package. Without a readable table the server
 * runs, and every address is unknown. An operator's file that cannot be read is not replaced by another table.
 */
export async function openAddressCountries(
  file: string | undefined,
  log: Log,
  packaged = PACKAGED_TABLE,
): Promise<AddressCountries> {
  const source = file === undefined ? 'package' : 'file'
  try {
    const path = file ?? createRequire(import.meta.url).resolve(packaged)
    return readTable(await readFile(path), source, log)
  } catch (error) {
    if (source === 'file') log.error({ err: error }, 'cannot read the table of FAIRWICK_IP_COUNTRIES')
    else log.warn({ err: error }, 'there is no table of countries by address: every address is unknown')
    return NO_COUNTRIES
  }
}

/** A record of a MaxMind or IP2Location table, or of ip-location-db. */
const TableRecord = z.union([
  z.object({ country: z.object({ iso_code: z.string() }) }).transform(({ country }) => country.iso_code),
  z.object({ country_code: z.string() }).transform((record) => record.country_code),
])

function readTable(bytes: Buffer, source: 'file' | 'package', log: Log): AddressCountries {
  // The types of the library name only MaxMind's records.
  const reader = new Reader<never>(bytes)
  return {
    source,
    builtAt: instant(reader.metadata.buildEpoch.getTime()),
    find(address) {
      const plain = publicAddress(address)
      // In a table of IPv4 addresses the reader would look up the first 32 bits of an IPv6 address and find a wrong
      // country.
      if (plain === null || (isIPv6(plain) && reader.metadata.ipVersion === 4)) return null
      try {
        const record = TableRecord.safeParse(reader.get(plain))
        return record.success ? countryCode(record.data) : null
      } catch (error) {
        log.error({ err: error }, 'the table of countries by address is damaged')
        return null
      }
    },
  }
}

const CODE = /^[A-Z]{2}$/
/** Codes that name no single country: `XX` and `ZZ` mean unknown, and registries use `EU` and `AP` for regions. */
const NO_COUNTRY = new Set(['XX', 'ZZ', 'EU', 'AP'])

/** Reads an ISO code. Null for anything else, such as `T1` for the Tor network. */
export function countryCode(text: string): string | null {
  const code = text.trim().toUpperCase()
  return CODE.test(code) && !NO_COUNTRY.has(code) ? code : null
}

/** Whole days since the table was built. Null without a table. */
export function tableAgeDays({ builtAt }: Pick<AddressCountries, 'builtAt'>, now: Instant): number | null {
  return builtAt === null ? null : Math.max(0, Math.floor((now - builtAt) / DAY_MS))
}
