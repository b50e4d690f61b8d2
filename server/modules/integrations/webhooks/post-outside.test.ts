import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { openOutsideConnections } from '#server/modules/integrations/webhooks/outside-connections.ts'
import { type Outside, postOutside } from '#server/modules/integrations/webhooks/post-outside.ts'
import { isPublicAddress } from '#server/modules/integrations/webhooks/public-address.ts'

let arrived = 0
const server = createServer((_request, response) => {
  arrived += 1
  response.end('here')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const connections = openOutsideConnections()
afterAll(() => {
  connections.close()
  server.close()
})

const post = (url: string, outside: Partial<Outside> = {}) =>
  postOutside(
    { url, headers: {}, body: '{}', stopping: new AbortController().signal },
    { allowsLoopback: false, timeLimitMs: 2_000, ...outside },
    connections,
  )
const leadsTo = (...addresses: string[]) => ({
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
})

test.each([
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.1.2.3',
  '172.20.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::',
  '2001:db8::1',
  'fe80::1',
  'fd00::1',
  'ff02::1',
])('not a public address: %s', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '172.32.0.1', '2606:4700:4700::1111'])('a public address: %s', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  'https://127.0.0.1',
  'https://2130706433',
  'https://0x7f.1',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]',
])('rejects %s, however it is written', async (origin) => {
  const url = new URL(origin)
  url.port = String(port)
  expect(await post(url.href)).toMatchObject({ problem: 'address' })
  expect(arrived).toBe(0)
})

test.each([
  [['127.0.0.1']],
  [['10.0.0.1']],
  [['::1']],
  [['8.8.8.8', '127.0.0.1']],
])('rejects a name that resolves to %o: one such address is enough', async (addresses) => {
  expect(await post(`https://rebound.example:${port}`, leadsTo(...addresses))).toMatchObject({ problem: 'address' })
  expect(arrived).toBe(0)
})

test('a name that changes between check and connection has no effect: it is resolved once, and the checked address is called', async () => {
  const answers = ['127.0.0.1', '10.0.0.1']
  const resolve = async () => [{ address: answers.shift() ?? '', family: 4 }]
  const outcome = await post(`http://rebound.example:${port}`, { resolve, allowsLoopback: true })
  expect(outcome).toMatchObject({ status: 200, answer: 'here' })
  expect(answers).toEqual(['10.0.0.1'])
})

test('reaches loopback if that is allowed, and even then no other private addresses', async () => {
  expect(await post(`http://127.0.0.1:${port}`, { allowsLoopback: true })).toMatchObject({ status: 200 })
  expect(await post('http://192.168.0.1', { allowsLoopback: true })).toMatchObject({ problem: 'address' })
  expect(await post('http://8.8.8.8', { allowsLoopback: true })).toMatchObject({ problem: 'address' })
})

test('reports a name that does not resolve', async () => {
  expect(await post('https://nowhere.invalid')).toMatchObject({ problem: 'name' })
  expect(await post('https://nothing.example', leadsTo())).toMatchObject({ problem: 'name' })
})

test('stops waiting for a look-up that does not end', async () => {
  const resolve = () => new Promise<never>(() => {})
  expect(await post('https://slow.example', { resolve, timeLimitMs: 50 })).toMatchObject({ problem: 'timeout' })
})

test('reports a server without TLS', async () => {
  expect(await post(`https://127.0.0.1:${port}`, { allowsLoopback: true })).toMatchObject({ problem: 'certificate' })
})

test('a receiver that switches protocols has failed, and nothing waits for it any longer', async () => {
  const switching = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h\r\n\r\n'),
    )
  })
  await new Promise<void>((resolve) => switching.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = switching.address() as AddressInfo
    expect(await post(`http://127.0.0.1:${port}`, { allowsLoopback: true })).toMatchObject({
      status: 101,
      problem: 'status',
    })
  } finally {
    switching.close()
  }
})
