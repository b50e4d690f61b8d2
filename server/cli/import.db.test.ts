import { randomUUID } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CommandContext } from '#server/cli/command.ts'
import { importFiles } from '#server/cli/import.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database } = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'docket-import-'))

async function imported(content: string) {
  const path = join(folder, `${randomUUID()}.ndjson`)
  await writeFile(path, content)
  const at: CommandContext = {
    ctx: systemCtx(database),
    secret: '',
    auditHeadFile: '',
    asOwner: (work) => work(database.pool),
  }
  return importFiles(at, { files: [path], strict: false, isTerminal: false })
}

test('fails if not one line could be imported, and succeeds if some could', async () => {
  const garbage = await imported('what\nis\nthis\n')
  expect(garbage).toMatchObject({ hasFailed: true, json: { refused: 3 } })
  expect(garbage.text).toMatch(/^Nothing was added\. Rejected: 3/)

  const user = JSON.stringify({ type: 'user', userId: randomUUID(), displayName: 'Pat' })
  expect(await imported(`what\n${user}\n`)).toMatchObject({ hasFailed: false, json: { refused: 1 } })
  expect(await imported(`${user}\n`)).toMatchObject({ hasFailed: false })
  expect(await imported('')).toMatchObject({ hasFailed: false })
})
