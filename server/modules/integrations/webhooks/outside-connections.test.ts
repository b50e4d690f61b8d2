import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openOutsideConnections } from '#server/modules/integrations/webhooks/outside-connections.ts'
import { type Outside, postOutside } from '#server/modules/integrations/webhooks/post-outside.ts'

type Answer = (response: ServerResponse) => void
const well: Answer = (response) => response.end('here')
const reset: Answer = (response) => response.socket?.resetAndDestroy()
const close: Answer = (response) => response.socket?.destroy()
const cut: Answer = (response) => {
  response.writeHead(200, { 'content-length': 100 })
  response.write('only a part', () => response.destroy())
}

const beginAndClose: Answer = ({ socket }) => socket?.write('HTTP/1.1 2', () => socket.destroy())

const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})

/** A receiver that gives these answers in turn, and then the last of them; with connections of its own to it. */
async function receiverThat(...answers: [Answer, ...Answer[]]) {
  const seen = { connections: 0, requests: 0 }
  const server = createServer((request, response) => {
    request.resume()
    const answer = answers[Math.min(seen.requests, answers.length - 1)] ?? well
    seen.requests += 1
    answer(response)
  })
  server.on('connection', () => {
    seen.connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const connections = openOutsideConnections()
  cleanUps.push(connections.close, () => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const post = (over: Partial<Outside> = {}, url = `http://127.0.0.1:${port}`) =>
    postOutside(
      { url, headers: {}, body: '{}', stopping: new AbortController().signal },
      { allowsLoopback: true, timeLimitMs: 2_000, ...over },
      connections,
    )
  return { seen, post, port, server, connections }
}

test('posts one after the other share a connection, whatever the status of their answers', async () => {
  const { seen, post } = await receiverThat(well, (response) => response.writeHead(500).end('out of order'), well)
  expect(await post()).toMatchObject({ status: 200 })
  expect(await post()).toMatchObject({ status: 500, problem: 'status' })
  expect(await post()).toMatchObject({ status: 200 })
  expect(seen).toEqual({ connections: 1, requests: 3 })
})

test('the address is checked for every post, also while a connection is open', async () => {
  const { seen, post, port } = await receiverThat(well)
  const url = `http://rebound.example:${port}`
  const leadsTo = (address: string) => ({ resolve: async () => [{ address, family: 4 }] })
  expect(await post(leadsTo('127.0.0.1'), url)).toMatchObject({ status: 200 })
  expect(await post(leadsTo('10.0.0.1'), url)).toMatchObject({ problem: 'address' })
  expect(seen).toEqual({ connections: 1, requests: 1 })
})

test.each([
  ['closed', close],
  ['reset', reset],
])('a connection that was %s since the last post is replaced: the receiver has not failed', async (_, gone) => {
  const { seen, post } = await receiverThat(well, gone, well)
  expect(await post()).toMatchObject({ status: 200 })
  expect(await post()).toMatchObject({ status: 200, answer: 'here' })
  expect(seen).toEqual({ connections: 2, requests: 3 })
})

test('a receiver that closes idle connections receives every post', async () => {
  const { seen, post, server } = await receiverThat(well)
  for (const _ of [1, 2, 3]) {
    expect(await post()).toMatchObject({ status: 200 })
    server.closeIdleConnections()
  }
  expect(seen.connections).toBe(3)
})

test('a receiver that resets the new connection too has failed: there is no third post', async () => {
  const { seen, post } = await receiverThat(well, reset)
  expect(await post()).toMatchObject({ status: 200 })
  expect(await post()).toMatchObject({ problem: 'cut' })
  expect(seen).toEqual({ connections: 2, requests: 3 })
})

test('a new connection that is reset has failed: it is not posted to again', async () => {
  const { seen, post } = await receiverThat(reset)
  expect(await post()).toMatchObject({ problem: 'cut' })
  expect(seen).toEqual({ connections: 1, requests: 1 })
})

test('an answer that was begun is not asked for again', async () => {
  const { seen, post } = await receiverThat(well, cut)
  expect(await post()).toMatchObject({ status: 200 })
  expect(await post()).toMatchObject({ status: 200, problem: 'cut', answer: 'only a part' })
  expect(seen).toEqual({ connections: 1, requests: 2 })
})

test('a first byte of an answer is enough', async () => {
  const { seen, post } = await receiverThat(well, beginAndClose)
  expect(await post()).toMatchObject({ status: 200 })
  expect(await post()).toMatchObject({ problem: 'cut' })
  expect(seen).toEqual({ connections: 1, requests: 2 })
})

test('closing ends the connections that are open', async () => {
  const ended = Promise.withResolvers<void>()
  const server = createTcpServer((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nhere'))
    socket.once('close', () => ended.resolve())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const connections = openOutsideConnections()
  const { port } = server.address() as AddressInfo
  const posting = { url: `http://127.0.0.1:${port}`, headers: {}, body: '{}', stopping: new AbortController().signal }
  expect(await postOutside(posting, { allowsLoopback: true }, connections)).toMatchObject({ answer: 'here' })
  connections.close()
  await ended.promise
  server.close()
})
