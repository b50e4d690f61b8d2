import { BlockList, isIPv4 } from 'node:net'

/** IANA's special-purpose addresses: not reachable by everyone on the internet, or not a single host. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** For IPv6 only the allocated range; and within it, not embedded IPv4 addresses or documentation examples. */
const PUBLIC_V6 = ['2000::/3']
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const notPublicV4 = listOf(NOT_PUBLIC_V4)
const publicV6 = listOf(PUBLIC_V6)
const notPublicV6 = listOf(NOT_PUBLIC_V6)
const loopback = listOf(['127.0.0.0/8', '::1/128'])

/** Whether this is a public internet address: not a private network, this machine or a cloud's internal addresses. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicV4.check(address, 'ipv4')
  return publicV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6')
}

/** Whether the address is this machine's, also for IPv4 written as IPv6. */
export function isLoopbackAddress(address: string): boolean {
  return loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

function listOf(subnets: string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/')
    list.addSubnet(network, Number(prefix), isIPv4(network) ? 'ipv4' : 'ipv6')
  }
  return list
}
