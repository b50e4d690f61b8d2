import { connect } from 'node:net'
import { expect, test } from './fixtures.ts'

/** More than a connection pool or a browser would open. */
const AT_ONCE = 40

for (const protocol of ['websocket', 'h2c']) {
  test(`requests to upgrade to ${protocol} are answered as any others, however many come at once, and hold no socket`, async ({
    desk,
  }) => {
    const asked = Array.from({ length: AT_ONCE }, () => askToUpgrade(desk.url, protocol))
    await expect
      .poll(() => asked.filter(({ socket }) => socket.bytesRead === 0).length, { message: 'some have no answer' })
      .toBe(0)
    for (const { socket } of asked) socket.end()
    for (const { ended } of asked) expect(await ended).toMatch(/^HTTP\/1\.1 (200|3\d\d|4\d\d) /)
  })
}

/** Opens a socket, asks, and sends nothing else; `ended` resolves to the whole answer once the socket is closed. */
function askToUpgrade(url: string, protocol: string) {
  const { hostname, port } = new URL(url)
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
  return { socket, ended }
}
