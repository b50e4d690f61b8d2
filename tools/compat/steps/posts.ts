import assert from 'node:assert/strict'
import { at, eachOf, holds, idAt } from '../read.ts'
import { BOB, ME, makePost, type Stage } from '../stage.ts'
import { driveFlags } from './flags.ts'

export async function drivePosts({ client, step, admin, bob, carol }: Stage): Promise<void> {
  const made = await client.call('CommunityRepository.createCommunity', {
    displayName: 'Log',
    isPublic: true,
    userIds: [BOB],
    postSetting: 'ADMIN_REVIEW_POST_REQUIRED',
  })
  const communityId = idAt(made, 'data', 'communityId')
  const [good, bad] = [await makePost(bob, communityId, 'Fair wind'), await makePost(bob, communityId, 'Rum')]
  const read = (postId: string) => admin.get(`/api/v3/posts/${postId}`)
  const inFeed = async (feedType: string) =>
    eachOf(
      await admin.get(`/api/v4/posts?targetType=community&targetId=${communityId}&feedType=${feedType}`),
      'posts',
      'postId',
    )

  await step('PostRepository.getPosts, those that wait', async () => {
    const asked = { targetType: 'community', targetId: communityId, feedType: 'reviewing', sortBy: 'lastCreated' }
    const found = await client.live('PostRepository.getPosts', { ...asked, limit: 1 })
    assert.deepEqual(eachOf(found, 'data', 'postId'), [good, bad].sort())
  })

  await step('PostRepository.approvePost', async () => {
    assert.equal(await carol.codeOf('GET', `/api/v3/posts/${good}`), 400400)
    await client.call('PostRepository.approvePost', good)
    holds(await carol.get(`/api/v3/posts/${good}`), { posts: [{ postId: good, data: { text: 'Fair wind' } }] })
    assert.deepEqual(await inFeed('published'), [good])
  })

  await step('PostRepository.declinePost', async () => {
    await client.call('PostRepository.declinePost', bad)
    assert.deepEqual([await inFeed('declined'), await inFeed('reviewing')], [[bad], []])
    assert.equal(await carol.codeOf('GET', `/api/v3/posts/${bad}`), 400400)
  })

  let mine = ''
  await step('PostRepository.createPost', async () => {
    const asked = { targetType: 'community', targetId: communityId, data: { text: 'Day one' }, tags: ['compat'] }
    mine = idAt(await client.call('PostRepository.createPost', asked), 'data', 'postId')
    holds(await carol.get(`/api/v3/posts/${mine}`), {
      posts: [{ postedUserId: ME, data: { text: 'Day one' }, tags: ['compat'] }],
    })
  })

  await step('PostRepository.getPost', async () => {
    const postId = await makePost(bob, communityId, 'Flat calm')
    const found = await client.live('PostRepository.getPost', postId)
    holds(found, { data: { postId, postedUserId: BOB, data: { text: 'Flat calm' } } })
  })

  await step('PostRepository.editPost', async () => {
    await client.call('PostRepository.editPost', mine, { data: { text: 'Day two' } })
    holds(await carol.get(`/api/v3/posts/${mine}`), { posts: [{ data: { text: 'Day two' } }] })
  })

  const flagCount = async () => at(await read(good), 'posts', 0, 'flagCount')
  await driveFlags({ client, step }, 'Post', { theirs: good, mine, flagCount })

  await step('PostRepository.softDeletePost', async () => {
    assert.equal(at(await client.call('PostRepository.softDeletePost', mine), 'isDeleted'), true)
    holds(await read(mine), { posts: [{ isDeleted: true }] })
  })

  await step('PostRepository.hardDeletePost', async () => {
    const asked = { targetType: 'community', targetId: communityId, data: { text: 'Overboard' } }
    const gone = idAt(await client.call('PostRepository.createPost', asked), 'data', 'postId')
    await client.call('PostRepository.hardDeletePost', gone)
    assert.equal(await admin.codeOf('GET', `/api/v3/posts/${gone}`), 400400)
  })
}
