import { expect, test } from 'vitest'
import type { Actor } from '#server/core/ctx.ts'
import { deleteNote, listNotes, writeNote } from '#server/modules/people/notes/notes.ts'
import { asUser, ctxOf, failureOf } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'

const { database, make } = await testDatabase()
const as = (actor: Actor) => ctxOf(database, actor)

const moderator = async (): Promise<Actor> => ({
  kind: 'admin',
  userId: (await make.user({ displayName: 'Mo' })).userId,
  name: 'Mo',
  rank: 600,
  permissions: new Set(['MANAGE_POST_AND_COMMENT']),
})

test('a note in a community is for its reviewers, one of the network for its moderators', async () => {
  const { communityId } = await make.community()
  const about = await make.user()
  const [reviewer, colleague, elsewhere] = await Promise.all([
    make.reviewerOf(communityId),
    make.reviewerOf(communityId),
    make.reviewerOf((await make.community()).communityId),
  ])
  const network = await moderator()
  await writeNote(as(reviewer), { aboutUserId: about.userId, communityId, text: 'Was warned' })
  await writeNote(as(network), { aboutUserId: about.userId, text: 'Known elsewhere' })

  const textsFor = async (actor: Actor) =>
    (await listNotes(as(actor), { aboutUserId: about.userId })).map(({ text }) => text)
  expect(await textsFor(colleague)).toEqual(['Was warned'])
  expect(await textsFor(elsewhere)).toEqual([])
  expect(await textsFor(asUser(about.userId))).toEqual([])
  expect(await textsFor(network)).toEqual(['Known elsewhere', 'Was warned'])
})

test('only reviewers there write notes, about existing people, and delete their own', async () => {
  const { communityId } = await make.community()
  const about = await make.user()
  const [reviewer, colleague] = await Promise.all([make.reviewerOf(communityId), make.reviewerOf(communityId)])
  const note = { aboutUserId: about.userId, communityId, text: 'x' }
  expect(await writeNote(as(asUser(about.userId)), note).catch(failureOf)).toBe('FORBIDDEN')
  expect(await writeNote(as(reviewer), { aboutUserId: about.userId, text: 'x' }).catch(failureOf)).toBe('FORBIDDEN')
  expect(await writeNote(as(reviewer), { ...note, aboutUserId: 'nobody' }).catch(failureOf)).toBe('NOT_FOUND')

  const [written] = await writeNote(as(reviewer), note)
  const noteId = written?.noteId ?? ''
  expect(await deleteNote(as(asUser(about.userId)), { noteId }).catch(failureOf)).toBe('NOT_FOUND')
  expect(await deleteNote(as(colleague), { noteId }).catch(failureOf)).toBe('FORBIDDEN')
  expect(await deleteNote(as(reviewer), { noteId })).toEqual([])
  expect(await deleteNote(as(reviewer), { noteId }).catch(failureOf)).toBe('NOT_FOUND')
})

test('notes are stored beside the log, not in it', async () => {
  const { communityId } = await make.community()
  const about = await make.user()
  await writeNote(as(await make.reviewerOf(communityId)), {
    aboutUserId: about.userId,
    communityId,
    text: 'Named by a neighbour',
  })
  const rows = await database.prisma.audit.findMany({ where: { subjectId: about.userId } })
  expect(rows.map(({ action }) => action)).toEqual(['user.noted'])
  expect(JSON.stringify(rows.map(({ before, after }) => ({ before, after })))).not.toContain('neighbour')
})
