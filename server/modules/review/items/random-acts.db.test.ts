import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Database } from '#server/core/database/open-database.ts'
import { DomainError } from '#server/core/errors.ts'
import { deleteComment } from '#server/modules/content/comments/delete-comment.ts'
import { editComment } from '#server/modules/content/comments/edit-comment.ts'
import { flaggableComment } from '#server/modules/content/comments/flaggable-comment.ts'
import { clearFlags, flag, unflag } from '#server/modules/content/flags/flag.ts'
import { deletePost } from '#server/modules/content/posts/delete-post.ts'
import { editPost } from '#server/modules/content/posts/edit-post.ts'
import { flaggablePost } from '#server/modules/content/posts/flaggable-post.ts'
import { recordSignals } from '#server/modules/content/signals/record-signals.ts'
import { NewSignals } from '#server/modules/content/signals/schema.ts'
import { type ImportRecord, importRecords } from '#server/modules/integrations/imports/import-records.ts'
import { eraseContent } from '#server/modules/people/erase-content.ts'
import { claim, release } from '#server/modules/review/claims/claim.ts'
import { decide, restoreRejected, reverseDecision } from '#server/modules/review/decisions/decide.ts'
import type { Outcome, Subject } from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { deescalate, escalate } from '#server/modules/review/escalations/escalate.ts'
import { banPerson, unbanPerson } from '#server/modules/spaces/sanctions/ban-person.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { randomNumbers } from '#server/testing/random.ts'
import { rulesOn, writtenComment, writtenPost } from '#server/testing/rules-on.ts'
import { scaled } from '#server/testing/scaled.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'
import { wrongItems } from '#server/testing/wrong-items.ts'

const random = randomNumbers()

const SEQUENCES = scaled(12)
/** The oracle reads all items of a database: a few sequences in each, and its time grows with their number only. */
const SEQUENCES_A_DATABASE = 25
const ACTS_AT_ONCE = 4
const ROUNDS = 8
const WORDS = ['A tram', 'A boat', 'A ferry', 'A barge', 'A tram and a boat', 'Nothing of that']
const OUTCOMES: Outcome[] = ['approved', 'rejected', 'dismissed', 'deleted']
const FLAGGABLE = { comment: flaggableComment, post: flaggablePost }
const PLACE_RULES = [
  ['boat', { type: 'hold', severity: 'high' }],
  ['ferry', { type: 'reject' }],
  ['barge', { type: 'flag' }],
] as const

/** A community that holds posts, where rules hold, reject and flag, with two authors, two moderators and two members who flag; for one sequence after another. */
async function busyPlace(database: Database) {
  const { prisma } = database
  const make = factoriesOf(database)
  const { communityId, author, running } = await rulesOn(database).scene()
  await prisma.community.update({ where: { communityId }, data: { needApprovalOnPostCreation: true } })
  for (const [word, action] of PLACE_RULES) await running({ kind: 'words', words: [word] }, 'live', { action })
  const people = await Promise.all([1, 2, 3].map(() => make.user()))
  await Promise.all(people.map(({ userId }) => make.member({ communityId, userId })))
  const [authors, members] = [[author, ...people.slice(0, 1)], people.slice(1)]
  const moderators = await Promise.all([1, 2].map(() => make.reviewerOf(communityId)))
  const as = (userId: string) => ctxOf(database, asUser(userId), { source: 'rest', undoWindowMs: WAIT_LIMIT_MS })
  const subjects: (Subject & { by: string })[] = []
  const decisions: { decisionId: string; by: string }[] = []
  let postId = ''

  const member = () => as(random.oneOf(members).userId)
  const subject = () => random.oneOf(subjects)
  const admin = () => ctxOf(database, asAdmin())
  const data = () => ({ text: random.oneOf(WORDS) })
  const postIds = () => [
    postId,
    ...subjects.filter(({ subjectType }) => subjectType === 'post').map(({ subjectId }) => subjectId),
  ]
  const moderator = () => random.oneOf(moderators)
  const desk = () => ctxOf(database, moderator(), { undoWindowMs: WAIT_LIMIT_MS })

  const write = async () => {
    const by = random.oneOf(authors).userId
    if (random.below(3) > 0) {
      const input = { referenceType: 'post', referenceId: random.oneOf(postIds()), data: data() }
      subjects.push({ subjectType: 'comment', subjectId: await writtenComment(as(by), input), by })
    } else {
      const input = { targetType: 'community', targetId: communityId, data: data(), attachments: [] }
      subjects.push({ subjectType: 'post', subjectId: await writtenPost(as(by), input), by })
    }
  }
  /** A comment, perhaps without the post it is on, or a post; perhaps what an erasure took, once more. */
  const bringIn = async () => {
    const place = { targetType: 'community', targetId: communityId, data: data(), flagCount: random.below(2) }
    const by = random.oneOf(authors).userId
    const [subjectType, id] =
      random.below(3) > 0
        ? (['comment', randomUUID()] as const)
        : (['post', random.oneOf([randomUUID(), subject().subjectId])] as const)
    const record =
      subjectType === 'comment'
        ? {
            ...{
              type: 'comment',
              commentId: id,
              userId: by,
              approvalStatus: random.oneOf(['pending', 'approved', null]),
            },
            ...{ referenceType: 'post', referenceId: random.oneOf([...postIds(), randomUUID()]) },
          }
        : { type: 'post', postId: id, postedUserId: by, feedType: random.oneOf(['reviewing', 'published']) }
    await importRecords(systemCtx(database), [{ ...place, ...record } as ImportRecord])
    subjects.push({ subjectType, subjectId: id, by })
  }
  const edit = ({ subjectType, subjectId, by }: Subject & { by: string }) =>
    subjectType === 'comment'
      ? editComment(as(by), { commentId: subjectId, data: data() })
      : editPost(as(by), { postId: subjectId, data: data() })
  const remove = ({ subjectType, subjectId, by }: Subject & { by: string }) => {
    const remover = random.oneOf([as(by), admin()])
    const permanent = random.below(4) === 0
    return subjectType === 'comment'
      ? deleteComment(remover, { commentId: subjectId, permanent })
      : deletePost(remover, { postId: subjectId, permanent })
  }
  const letIn = () =>
    prisma.communityUser.updateMany({
      where: { communityId, userId: { in: authors.map(({ userId }) => userId) } },
      data: { membership: 'member' },
    })
  const sanction = async () => {
    const person = { userId: random.oneOf(authors).userId, space: { scope: 'community', communityId } as const }
    if (random.below(2) === 0) return banPerson(desk(), { ...person, minutes: null })
    await unbanPerson(desk(), person)
    await letIn()
  }
  const erase = async () => {
    if (random.below(8) === 0) await eraseContent(systemCtx(database), random.oneOf(authors).userId)
  }
  const decideOn = async (subject: Subject) => {
    const by = moderator()
    const ctx = ctxOf(database, by, { undoWindowMs: WAIT_LIMIT_MS })
    const { decisionId } = await decide(ctx, { ...subject, outcome: random.oneOf(OUTCOMES) })
    decisions.push({ decisionId, by: by.userId })
  }
  const undo = async () => {
    const last = decisions.splice(random.below(decisions.length), 1)[0]
    if (last) await undoDecision(as(last.by), { decisionId: last.decisionId })
  }
  const version = async ({ subjectType, subjectId }: Subject) =>
    (await prisma.reviewItem.findFirst({ where: { subjectType, subjectId, kind: 'held' } }))?.version ?? 0
  const flags = ({ subjectType, subjectId: id }: Subject) => {
    const flaggable = FLAGGABLE[subjectType as 'comment' | 'post'] as typeof flaggableComment
    const act = random.below(4)
    if (act === 0) return unflag(member(), flaggable, { id })
    if (act === 1) return clearFlags(admin(), flaggable, { id })
    return flag(member(), flaggable, { id, flag: { reason: 'Spam or scams' } })
  }
  const score = ({ subjectType: type, subjectId: id }: Subject) =>
    recordSignals(admin(), NewSignals.parse({ signals: [{ type, id, name: 'toxicity', score: random.fraction() }] }))
  const kind = () => (random.below(2) === 0 ? 'held' : 'reported')

  const acts: (() => Promise<unknown>)[] = [
    ...[write, write, write, bringIn, sanction, erase],
    () => edit(subject()),
    () => remove(subject()),
    () => decideOn(subject()),
    () => decideOn(subject()),
    () => undo(),
    () => flags(subject()),
    () => flags(subject()),
    () => score(subject()),
    () => escalate(desk(), { ...subject(), kind: kind(), note: 'Look at this' }),
    () => deescalate(desk(), { ...subject(), kind: kind() }),
    () => claim(desk(), { ...subject(), kind: kind() }),
    () => release(desk(), { ...subject(), kind: kind() }),
    async () => {
      const chosen = subject()
      await reverseDecision(desk(), { ...chosen, version: await version(chosen) })
    },
    async () => {
      const chosen = subject()
      await restoreRejected(desk(), { ...chosen, version: await version(chosen) })
    },
  ]
  const begin = async () => {
    subjects.length = 0
    decisions.length = 0
    postId = (await make.post({ communityId })).postId
    await letIn()
    await write()
  }
  const eraseAuthors = async () => {
    for (const { userId } of authors) while ((await eraseContent(systemCtx(database), userId)) > 0);
  }
  return { begin, act: () => random.oneOf(acts)(), eraseAuthors }
}

const FIRSTS = Array.from(
  { length: Math.ceil(SEQUENCES / SEQUENCES_A_DATABASE) },
  (_, part) => part * SEQUENCES_A_DATABASE,
)

test.each(
  FIRSTS,
)(`sequences of random acts from the %ith leave no item that differs from what it is about`, async (first) => {
  const { database } = await testDatabase()
  const { begin, act, eraseAuthors } = await busyPlace(database)
  for (let sequence = first; sequence < Math.min(first + SEQUENCES_A_DATABASE, SEQUENCES); sequence += 1) {
    await begin()
    for (let round = 0; round < ROUNDS; round += 1) {
      const done = await Promise.allSettled(Array.from({ length: ACTS_AT_ONCE }, () => act()))
      const failures = done.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
      expect(failures.filter((failure) => !(failure instanceof DomainError))).toEqual([])
      expect(await wrongItems(database)).toEqual([])
    }
    if (sequence % 3 === 0) await eraseAuthors()
    expect(await wrongItems(database)).toEqual([])
  }
})
