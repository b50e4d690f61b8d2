import { expect, test } from 'vitest'
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
import { eraseContent } from '#server/modules/people/erase-content.ts'
import { claim, release } from '#server/modules/review/claims/claim.ts'
import { decide } from '#server/modules/review/decisions/decide.ts'
import { restoreRejected } from '#server/modules/review/decisions/restore-rejected.ts'
import { reverseDecision } from '#server/modules/review/decisions/reverse-decision.ts'
import type { Outcome, Subject } from '#server/modules/review/decisions/schema.ts'
import { undoDecision } from '#server/modules/review/decisions/undo-decision.ts'
import { deescalate, escalate } from '#server/modules/review/escalations/escalate.ts'
import { asAdmin, asUser, ctxOf, systemCtx } from '#server/testing/ctx.ts'
import { testDatabase } from '#server/testing/database.ts'
import { factoriesOf } from '#server/testing/factories.ts'
import { randomNumbers } from '#server/testing/random.ts'
import { rulesOn, writtenComment, writtenPost } from '#server/testing/rules-on.ts'
import { scaled } from '#server/testing/scaled.ts'
import { WAIT_LIMIT_MS } from '#server/testing/wait-until.ts'
import { wrongItems } from '#server/testing/wrong-items.ts'

const { database } = await testDatabase()
const { prisma } = database
const make = factoriesOf(database)
const { scene } = rulesOn(database)
const random = randomNumbers()

const SEQUENCES = scaled(12)
const ACTS_AT_ONCE = 4
const ROUNDS = 8
const WORDS = ['A tram', 'A boat', 'A ferry', 'A barge', 'A tram and a boat', 'Nothing of that']
const OUTCOMES: Outcome[] = ['approved', 'rejected', 'dismissed', 'deleted']
const FLAGGABLE = { comment: flaggableComment, post: flaggablePost }

/** A community that holds posts, where rules hold, reject and flag, with an author, two moderators and two members who flag. */
async function busyPlace() {
  const { communityId, author, postId, running } = await scene()
  await prisma.community.update({ where: { communityId }, data: { needApprovalOnPostCreation: true } })
  await running({ kind: 'words', words: ['boat'] }, 'live', { action: { type: 'hold', severity: 'high' } })
  await running({ kind: 'words', words: ['ferry'] }, 'live', { action: { type: 'reject' } })
  await running({ kind: 'words', words: ['barge'] }, 'live', { action: { type: 'flag' } })
  const members = await Promise.all([1, 2].map(() => make.user()))
  await Promise.all(members.map(({ userId }) => make.member({ communityId, userId })))
  const moderators = await Promise.all([1, 2].map(() => make.reviewerOf(communityId)))
  const as = (userId: string) => ctxOf(database, asUser(userId), { source: 'rest', undoWindowMs: WAIT_LIMIT_MS })
  const subjects: Subject[] = []
  const decisions: { decisionId: string; by: string }[] = []

  const written = () => as(author.userId)
  const member = () => as(random.oneOf(members).userId)
  const subject = (): Subject => random.oneOf(subjects)
  const data = () => ({ text: random.oneOf(WORDS) })
  const moderator = () => random.oneOf(moderators)
  const desk = () => ctxOf(database, moderator(), { undoWindowMs: WAIT_LIMIT_MS })

  const write = async () => {
    if (random.below(3) > 0) {
      const posts = subjects.filter(({ subjectType }) => subjectType === 'post').map(({ subjectId }) => subjectId)
      const input = { referenceType: 'post', referenceId: random.oneOf([postId, ...posts]), data: data() }
      subjects.push({ subjectType: 'comment', subjectId: await writtenComment(written(), input) })
    } else {
      const input = { targetType: 'community', targetId: communityId, data: data(), attachments: [] }
      subjects.push({ subjectType: 'post', subjectId: await writtenPost(written(), input) })
    }
  }
  const edit = ({ subjectType, subjectId }: Subject) =>
    subjectType === 'comment'
      ? editComment(written(), { commentId: subjectId, data: data() })
      : editPost(written(), { postId: subjectId, data: data() })
  const remove = ({ subjectType, subjectId }: Subject) => {
    const by = random.oneOf([written(), ctxOf(database, asAdmin())])
    const permanent = random.below(4) === 0
    return subjectType === 'comment'
      ? deleteComment(by, { commentId: subjectId, permanent })
      : deletePost(by, { postId: subjectId, permanent })
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
    if (act === 1) return clearFlags(ctxOf(database, asAdmin()), flaggable, { id })
    return flag(member(), flaggable, { id, flag: { reason: 'Spam or scams' } })
  }
  const score = ({ subjectType: type, subjectId: id }: Subject) =>
    recordSignals(
      ctxOf(database, asAdmin()),
      NewSignals.parse({ signals: [{ type, id, name: 'toxicity', score: random.fraction() }] }),
    )
  const kind = () => (random.below(2) === 0 ? 'held' : 'reported')

  const acts: (() => Promise<unknown>)[] = [
    ...[write, write, write],
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
  await write()
  return { author, act: () => random.oneOf(acts)() }
}

test(`${SEQUENCES} sequences of random acts, ${ACTS_AT_ONCE} at once, leave no item that differs from what it is about`, async () => {
  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    const { author, act } = await busyPlace()
    for (let round = 0; round < ROUNDS; round += 1) {
      const done = await Promise.allSettled(Array.from({ length: ACTS_AT_ONCE }, () => act()))
      const failures = done.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
      expect(failures.filter((failure) => !(failure instanceof DomainError))).toEqual([])
      expect(await wrongItems(database)).toEqual([])
    }
    if (sequence % 3 === 0) while ((await eraseContent(systemCtx(database), author.userId)) > 0);
    expect(await wrongItems(database)).toEqual([])
  }
})
