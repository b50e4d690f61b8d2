import assert from 'node:assert/strict'
import { at, eachOf, holds, idAt } from '../read.ts'
import { BOB, makeComment, makeCommunity, makePost, type Stage } from '../stage.ts'
import { driveFlags } from './flags.ts'

export async function driveComments(stage: Stage): Promise<void> {
  const { client, step, admin, bob, carol } = stage
  const communityId = await makeCommunity(stage, { isPublic: true, needApprovalOnCommentCreation: true })
  const postId = await makePost(bob, communityId, 'What do you think?')
  const theirs = await makeComment(bob, postId, 'I think well of it')
  const write = async (text: string) => {
    const made = await client.call('CommentRepository.createComment', {
      referenceType: 'post',
      referenceId: postId,
      data: { text },
    })
    return idAt(made, 'data', 'commentId')
  }
  const held = async () =>
    eachOf(await bob.get(`/api/v3/communities/${communityId}/comments/review-queue`), 'comments', 'commentId')

  let mine = ''
  await step('CommentRepository.createComment, held', async () => {
    mine = await write('So do I')
    assert.deepEqual(await held(), [mine])
    assert.equal(await carol.codeOf('GET', `/api/v3/comments/${mine}`), 400400)
  })

  await step('CommentRepository.updateComment', async () => {
    await client.call('CommentRepository.updateComment', mine, { data: { text: 'So do I, mostly' } })
    holds(await admin.get(`/api/v3/comments/${mine}`), { comments: [{ data: { text: 'So do I, mostly' } }] })
    await bob.send('POST', `/api/v3/comments/${mine}/approve`)
  })

  await step('CommentRepository.getComments', async () => {
    const asked = { referenceType: 'post', referenceId: postId, sortBy: 'lastCreated', limit: 1 }
    const dataTypes = { values: ['text'], matchType: 'any' }
    const found = await client.live('CommentRepository.getComments', { ...asked, dataTypes })
    assert.deepEqual(eachOf(found, 'data', 'commentId'), [mine, theirs].sort())
  })

  await step('CommentRepository.getComment', async () => {
    const commentId = await makeComment(bob, postId, 'Anyone else?')
    const found = await client.live('CommentRepository.getComment', commentId)
    holds(found, { data: { commentId, userId: BOB, data: { text: 'Anyone else?' } } })
  })

  const flagCount = async () => at(await admin.get(`/api/v3/comments/${theirs}`), 'comments', 0, 'flagCount')
  await driveFlags(stage, 'Comment', { theirs, mine, flagCount })

  await step('CommentRepository.softDeleteComment', async () => {
    assert.equal(at(await client.call('CommentRepository.softDeleteComment', mine), 'isDeleted'), true)
    holds(await admin.get(`/api/v3/comments/${mine}`), { comments: [{ isDeleted: true }] })
  })

  await step('CommentRepository.hardDeleteComment, out of the queue', async () => {
    const gone = await write('Forget it')
    assert.deepEqual(await held(), [gone])
    await client.call('CommentRepository.hardDeleteComment', gone)
    assert.deepEqual(await held(), [])
    assert.equal(await admin.codeOf('GET', `/api/v3/comments/${gone}`), 400400)
  })
}
