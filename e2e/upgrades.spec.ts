import { connect } from 'node:net'
import { expect, test } from './fixtures.ts'

for (const protocol of ['websocket', 'h2c']) {
  test(`a request to upgrade to ${protocol} is answered as any other, and holds no socket`, async ({ desk }) => {
    const { hostname, port } = new URL(desk.url)
    const socket = connect(Number(port), hostname)
    const ended = new Promise<string>((resolve) => {
      let answer = ''
      socket.on('data', (data) => {
        answer += data
      })
      socket.on('close', () => resolve(answer))
    })
    const lines = [`GET /queue HTTP/1.1`, `Host: ${hostname}:${port}`, `Upgrade: ${protocol}`, 'Connection: Upgrade']
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
    socket.write(`${[...lines, key, 'Sec-WebSocket-Version: 13'].join('\r\n')}\r\n\r\n`)
    await expect.poll(() => socket.bytesRead, { message: 'waited for an answer' }).toBeGreaterThan(0)
    socket.end()
    expect(await ended).toMatch(/^HTTP\/1\.1 (200|3\d\d|4\d\d) /)
  })
}
