import { isIPv6 } from 'node:net'
import { assert } from '#core/result.ts'

/** A network with its country, such as `['192.0.2.0/24', 'DE']`. IPv4 networks are in the tree as `::/96`. */
type Entry = readonly [network: string, country: string]

interface Node {
  children: [Node | null, Node | null]
  country: string | null
}

/** Builds a file of the MaxMind DB format with these networks. */
export function mmdbFile(entries: readonly Entry[], builtAtMs: number, ipVersion: 4 | 6 = 6): Buffer {
  const root = newNode()
  for (const [network, country] of entries) insert(root, network, country)
  const nodes = listNodes(root)
  const place = new Map(nodes.map((node, index) => [node, index]))
  const countries = [...new Set(entries.map(([, country]) => country))]
  const records = countries.map((country) => map([['country', map([['iso_code', text(country)]])]]))
  const offsetOf = (country: string) =>
    records.slice(0, countries.indexOf(country)).reduce((sum, { length }) => sum + length, 0)
  const tree = Buffer.alloc(nodes.length * 8)
  nodes.forEach(({ children }, index) => {
    children.forEach((child, side) => {
      const isLeaf = child !== null && child.country !== null
      const value = isLeaf
        ? nodes.length + 16 + offsetOf(child.country ?? '')
        : ((child && place.get(child)) ?? nodes.length)
      tree.writeUInt32BE(value, index * 8 + side * 4)
    })
  })
  const metadata = map([
    ['binary_format_major_version', number(2, 5)],
    ['binary_format_minor_version', number(0, 5)],
    ['build_epoch', number(Math.floor(builtAtMs / 1000), 9)],
    ['database_type', text('Test-Country')],
    ['description', map([['en', text('test')]])],
    ['ip_version', number(ipVersion, 5)],
    ['languages', Buffer.from([0x00, 0x04])],
    ['node_count', number(nodes.length, 6)],
    ['record_size', number(32, 5)],
  ])
  const mark = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')])
  return Buffer.concat([tree, Buffer.alloc(16), ...records, mark, metadata])
}

function newNode(): Node {
  return { children: [null, null], country: null }
}

function insert(root: Node, network: string, country: string): void {
  const [address = '', length = ''] = network.split('/')
  const isSix = isIPv6(address)
  const bits = isSix ? sixBits(address) : '0'.repeat(96) + fourBits(address)
  let node = root
  for (const bit of bits.slice(0, Number(length) + (isSix ? 0 : 96))) {
    const side = bit === '1' ? 1 : 0
    node = node.children[side] ??= newNode()
  }
  node.country = country
}

function fourBits(address: string): string {
  return address
    .split('.')
    .map((byte) => Number(byte).toString(2).padStart(8, '0'))
    .join('')
}

/** Returns the 128 bits of an IPv6 address. Only addresses of the form `2001:db8::` are supported. */
function sixBits(address: string): string {
  assert(address.endsWith('::'), 'the network ends with ::')
  const groups = address.slice(0, -2).split(':')
  return groups
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
    .join('')
    .padEnd(128, '0')
}

/** Lists every node that has children, the root first. */
function listNodes(root: Node): Node[] {
  const nodes = [root]
  for (const node of nodes)
    nodes.push(...(node.children.filter((child) => child !== null && child.country === null) as Node[]))
  return nodes
}

/** Types of the format: 2 text, 5 uint16, 6 uint32, 7 map, 9 uint64. Types above 7 have a second byte. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  assert(bytes.length < 29, 'a short text')
  return Buffer.concat([Buffer.from([(2 << 5) | bytes.length]), bytes])
}

function number(value: number, type: 5 | 6 | 9): Buffer {
  const digits = value.toString(16)
  const bytes = Buffer.from(value === 0 ? '' : digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  const head = type <= 7 ? [(type << 5) | bytes.length] : [bytes.length, type - 7]
  return Buffer.concat([Buffer.from(head), bytes])
}

function map(entries: readonly (readonly [string, Buffer])[]): Buffer {
  return Buffer.concat([
    Buffer.from([(7 << 5) | entries.length]),
    ...entries.flatMap(([key, value]) => [text(key), value]),
  ])
}
