import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { DomainError } from '#server/core/errors.ts'
import { assertAddress } from '#server/modules/integrations/webhooks/assert-address.ts'
import { openOutsideConnections } from '#server/modules/integrations/webhooks/outside-connections.ts'
import { postOutside } from '#server/modules/integrations/webhooks/post-outside.ts'

let connections = 0
const inside = createServer((_request, response) => response.end('inside'))
inside.on('connection', () => {
  connections += 1
})
await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
const { port } = inside.address() as AddressInfo
const outside = openOutsideConnections()
afterAll(() => {
  outside.close()
  inside.close()
})

/** A private address, in every form that a URL accepts. */
const LITERALS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '0177.1',
  '127.0.0.1.',
  '127.255.255.254',
  '0',
  '0.0.0.0',
  '00.0.0.0',
  '%31%32%37.0.0.1',
  '１２７.０.０.１',
  '127。0。0。1',
  '⑫⑦.0.0.1',
  '10.0.0.1',
  '012.1',
  '172.16.0.1',
  '0xac.16.1',
  '192.168.0.1',
  '3232235521',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '100.100.100.200',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:a9fe:a9fe]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
]

test.each(LITERALS)('rejects an endpoint at https://%s, and sends nothing to it', async (host) => {
  const url = `https://${host}:${port}/webhooks`
  expect(() => assertAddress(url, { allowsLoopback: false })).toThrow(DomainError)
  const stopping = new AbortController().signal
  const outcome = await postOutside({ url, headers: {}, body: '{}', stopping }, { allowsLoopback: false }, outside)
  expect(outcome).toMatchObject({ problem: 'address' })
  expect(connections).toBe(0)
})

test.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
])('sends nothing to the name %s, which resolves to this machine', async (host) => {
  const stopping = new AbortController().signal
  const resolve = async () => [
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ]
  const posting = { url: `https://${host}:${port}`, headers: {}, body: '{}', stopping }
  expect(await postOutside(posting, { allowsLoopback: false, resolve }, outside)).toMatchObject({ problem: 'address' })
  expect(connections).toBe(0)
})

test.each([
  ['a password', 'https://user:password@example.com'],
  ['a name that hides the host', 'https://example.com@127.0.0.1'],
  ['no TLS', 'http://example.com'],
  ['another protocol', 'ftp://example.com'],
  ['a file', 'file:///etc/passwd'],
  ['a protocol of old', 'gopher://127.0.0.1:6379/_INFO'],
])('rejects an endpoint with %s', (_what, url) => {
  expect(() => assertAddress(url, { allowsLoopback: false })).toThrow(DomainError)
})
