import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { destinationText, type Network, NETWORKS, readDestination } from '#core/wallet/destinations/destination.ts'

/** The stored form, or the flaw with the network that the address belongs to. */
function read(network: Network, typed: string): string {
  const result = readDestination(network, typed)
  if (result.ok) return result.value
  return result.flaw === 'network' ? `network ${result.found}` : result.flaw
}

const TRON = ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8']
const BASE58 = [
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
]
const BECH32 = [
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
]
const BECH32M = ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0']
const LITECOIN = [
  'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1',
  'MVcg9uEvtWuP5N6V48EHfEtbz48qR8TKZ9',
  'ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea',
]
const EVM = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]
/** The example of each country in SWIFT's IBAN registry. */
const IBAN = `AD1200012030200359100100 AE070331234567890123456 AL47212110090000000235698741 AT611904300234573201
  AZ21NABZ00000000137010001944 BA391290079401028494 BE68539007547034 BG80BNBG96611020345678 BH67BMAG00001299123456
  BR1800360305000010009795493C1 CH9300762011623852957 CR05015202001026284066 CY17002001280000001200527600
  CZ6508000000192000145399 DE89370400440532013000 DK5000400440116243 DO28BAGR00000001212453611324 EE382200221020145685
  EG380019000500000000263180002 ES9121000418450200051332 FI2112345600000785 FO6264600001631634 FR1420041010050500013M02606
  GB29NWBK60161331926819 GE29NB0000000101904917 GI75NWBK000000007099453 GL8964710001000206 GR1601101250000000012300695
  GT82TRAJ01020000001210029690 HR1210010051863000160 HU42117730161111101800000000 IE29AIBK93115212345678
  IL620108000000099999999 IQ98NBIQ850123456789012 IS140159260076545510730339 IT60X0542811101000000123456
  JO94CBJO0010000000000131000302 KW81CBKU0000000000001234560101 KZ86125KZT5004100100 LB62099900000001001901229114
  LC55HEMM000100010012001200023015 LI21088100002324013AA LT121000011101001000 LU280019400644750000 LV80BANK0000435195001
  LY83002048000020100120361 MC5811222000010123456789030 MD24AG000225100013104168 ME25505000012345678951 MK07250120000058984
  MR1300020001010000123456753 MT84MALT011000012345MTLCAST001S MU17BOMM0101101030300200000MUR NL91ABNA0417164300
  NO9386011117947 PK36SCBL0000001123456702 PL61109010140000071219812874 PS92PALS000000000400123456702
  PT50000201231234567890154 QA58DOHB00001234567890ABCDEFG RO49AAAA1B31007593840000 RS35260005601001611379
  SA0380000000608010167519 SC18SSCB11010000000000001497USD SE4550000000058398257466 SI56263300012039086
  SK3112000000198742637541 SM86U0322509800000000270100 ST23000100010051845310146 SV62CENR00000000000000700025
  TL380080012345678910157 TN5910006035183598478831 TR330006100519786457841326 UA213223130000026007233566001
  VA59001123000012345678 VG96VPVG0000012345678901 XK051212012345678906`.split(/\s+/)

const VALID: Readonly<Record<Network, readonly string[]>> = {
  iban: IBAN,
  bitcoin: [...BASE58, ...BECH32, ...BECH32M],
  evm: EVM,
  tron: TRON,
  litecoin: LITECOIN,
}

describe('F8: readDestination', () => {
  it.each(NETWORKS.flatMap((network) => VALID[network].map((text) => [network, text] as const)))(
    'F8: accepts on %s only: %s',
    (network, text) => {
      expect(readDestination(network, text).ok).toBe(true)
      for (const other of NETWORKS) if (other !== network) expect(read(other, text)).toBe(`network ${network}`)
    },
  )

  it.each<[Network, string, string]>([
    // Texts that were once accepted as TRC-20 addresses.
    ['tron', '0x52908400098527886E0F7030069857D2E4169EE7', 'network evm'],
    ['tron', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'network bitcoin'],
    ['tron', 'hello', 'form'],
    ['tron', '', 'form'],
    ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T', 'checksum'],
    ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6', 'form'],
    ['tron', ' TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'form'],
    ['tron', 'ＴR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    // 0 is a character that base58 does not have.
    ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj60', 'form'],
    // An address of a test network, and a private key.
    ['bitcoin', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'form'],
    ['bitcoin', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'form'],
    ['bitcoin', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ', 'form'],
    // Upper case is the same address. Mixed case is invalid.
    ['bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7KV8F3T4', 'checksum'],
    // BIP-350: each version has its own checksum. Versions that cannot be spent yet are refused.
    ['bitcoin', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'checksum'],
    ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'checksum'],
    ['bitcoin', 'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y', 'checksum'],
    ['bitcoin', 'BC1SW50QGDZ25J', 'checksum'],
    ['bitcoin', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 'checksum'],
    ['bitcoin', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', 'checksum'],
    ['bitcoin', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', 'checksum'],
    ['bitcoin', 'bc1gmk9yu', 'form'],
    // An address that begins with 3, as Bitcoin addresses do.
    ['litecoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'network bitcoin'],
    // Forms from scanned codes, letterheads and a Japanese keyboard.
    ['bitcoin', 'bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?amount=0.5&label=a', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['bitcoin', 'BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    [
      'evm',
      'ethereum:0xde709f2102306220921060314715629080e2fb77@1?value=1',
      '0xde709f2102306220921060314715629080e2fb77',
    ],
    ['evm', 'ethereum:pay-0xde709f2102306220921060314715629080e2fb77', '0xde709f2102306220921060314715629080e2fb77'],
    ['evm', 'ethereum:0xde709f2102306220921060314715629080e2fb77/transfer?address=0x27b1fdb0', 'form'],
    ['bitcoin', 'litecoin:3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'network litecoin'],
    ['bitcoin', 'litecoin:LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1', 'network litecoin'],
    ['litecoin', 'bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'network bitcoin'],
    ['iban', 'IBAN DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['iban', 'iban: DE89-3704-0044-0532-0130-00', 'DE89370400440532013000'],
    ['iban', 'ＤＥ８９３７０４００４４０５３２０１３０００', 'DE89370400440532013000'],
    // EIP-55: the stored form is compared character by character.
    ['evm', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['evm', '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['evm', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'checksum'],
    ['evm', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'form'],
    ['evm', '0x0000000000000000000000000000000000000000', 'form'],
    ['evm', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'form'],
    ['iban', 'DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['iban', 'de89-3704-0044-0532-0130-00', 'DE89370400440532013000'],
    ['iban', 'DE٨٩ 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['iban', 'DE89370400440532013001', 'checksum'],
    ['iban', 'DE8937040044053201300', 'form'],
    ['iban', 'US64SVBKUS6S3300958879', 'form'],
    ['iban', '370400440532013000', 'form'],
  ])('F8: reads on %s %j: %s', (network, typed, expected) => expect(read(network, typed)).toBe(expected))

  const spoil = (text: string, at: number, by: number, letters: string): string => {
    const place = letters.indexOf(text[at] ?? '')
    return text.slice(0, at) + letters[(place + by) % letters.length] + text.slice(at + 1)
  }
  const BASE58_LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const BECH32_LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

  it.each<[Network, readonly string[], string, number]>([
    ['tron', TRON, BASE58_LETTERS, 0],
    ['bitcoin', BASE58, BASE58_LETTERS, 0],
    ['bitcoin', [...BECH32, ...BECH32M], BECH32_LETTERS, 3],
    ['litecoin', LITECOIN.slice(0, 2), BASE58_LETTERS, 0],
    ['litecoin', LITECOIN.slice(2), BECH32_LETTERS, 4],
    ['iban', IBAN.filter((iban) => /^..\d+$/.test(iban)), '0123456789', 2],
  ])('F8: refuses an address of %s with one wrong character', (network, texts, letters, from) => {
    for (const text of texts) {
      for (let at = from; at < text.length; at += 1) {
        for (let by = 1; by < letters.length; by += 1) {
          expect(readDestination(network, spoil(text, at, by, letters)).ok, `${text} ${at} ${by}`).toBe(false)
        }
      }
    }
  })

  it('F8: readDestination accepts at most 1 in 1,000 mixed-case EVM addresses with one wrong digit', () => {
    const mixed = EVM.slice(4)
    let [tried, passed] = [0, 0]
    for (const text of mixed) {
      for (let at = 2; at < text.length; at += 1) {
        for (const letter of '0123456789abcdefABCDEF') {
          if (letter.toLowerCase() === text[at]?.toLowerCase()) continue
          tried += 1
          if (readDestination('evm', text.slice(0, at) + letter + text.slice(at + 1)).ok) passed += 1
        }
      }
    }
    expect(tried).toBeGreaterThan(3_000)
    expect(passed / tried).toBeLessThan(0.001)
  })

  it('F8: readDestination returns a result for any text', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.stringMatching(/^(bc1|ltc1|0x|T|1|3|L|M|DE|GB)[0-9A-Za-z]{0,60}$/),
    )
    fc.assert(
      fc.property(texts, fc.constantFrom(...NETWORKS), (text, network) => {
        const result = readDestination(network, text)
        expect(result.ok ? readDestination(network, result.value) : result).toEqual(result)
      }),
      { numRuns: 5_000 },
    )
  })

  it('F8: destinationText shows an IBAN in groups of four', () => {
    expect(destinationText('iban', 'DE89370400440532013000')).toBe('DE89 3704 0044 0532 0130 00')
    expect(destinationText('tron', TRON[0] ?? '')).toBe(TRON[0])
  })
})
