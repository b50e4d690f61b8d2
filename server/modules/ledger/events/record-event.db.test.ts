import { expect, test } from 'vitest'
import type { Db } from '#server/core/database/db-types.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database } = await testDatabase()
const ctx = systemCtx(database)

const HELD = 500

test('storing an event reads the held events of its subject alone, also while the planner knows of none', async () => {
  const sent: Parameters<Db['query']>[0][] = []
  const db: Db = {
    query: (statement) => {
      sent.push(statement)
      return database.pool.query(statement)
    },
  }
  const event = { name: 'channel.didBan', subjectType: 'channel', payload: {}, holdForMs: 60_000 } as const
  for (let index = 0; index < HELD; index += 1) await recordEvent(ctx, { ...event, subjectId: `c${index}` })
  await recordEvent({ ...ctx, db }, { ...event, subjectId: 'c7' })

  const [statement] = sent
  const { rows } = await database.pool.query(`explain (analyze, format json) ${statement?.text}`, statement?.values)
  const plan = JSON.stringify(rows)
  expect(plan).toContain('subject_type_subject_id_idx')
  expect(plan).not.toContain('releases_at_event_id_idx')
})
