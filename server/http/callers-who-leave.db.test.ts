import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createLogger } from '#server/core/log.ts'
import { testApi } from '#server/testing/api.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database } = await testDatabase()
const errors: unknown[] = []
const log = createLogger('silent')
const api = await testApi(
  database,
  {},
  {
    log: Object.assign(log, {
      child: () => log,
      error: (...line: unknown[]) => errors.push(line),
    }),
  },
)

test('a caller who leaves while a compressed answer is on its way is no error of the server', async () => {
  const { port } = new URL(api.url)
  for (let caller = 0; caller < 10; caller += 1) {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write('GET /api/openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: gzip\r\n\r\n')
    if (caller % 2 === 0) await once(socket, 'data')
    socket.resetAndDestroy()
    await once(socket, 'close')
  }
  const answer = await fetch(`${api.url}/api/openapi.json`)
  expect(answer.status).toBe(200)
  await answer.text()
  expect(errors).toEqual([])
})
