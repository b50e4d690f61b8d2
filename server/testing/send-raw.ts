import { connect } from 'node:net'

/** The server's response to these bytes, until it closes the connection or the response is complete. */
export function sendRaw(url: string, sent: string | Buffer): Promise<{ status: number; head: string; body: string }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const done = () => {
      const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
      socket.destroy()
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body })
    }
    const socket = connect(Number(port), hostname, () => socket.write(sent))
    socket.on('data', (chunk) => {
      answer += chunk
      const [head, body] = answer.split('\r\n\r\n', 2)
      const length = /content-length: (\d+)/i.exec(head ?? '')?.[1]
      if (body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length)) done()
    })
    socket.on('end', done)
    socket.on('error', (error) => (answer === '' ? reject(error) : done()))
  })
}
