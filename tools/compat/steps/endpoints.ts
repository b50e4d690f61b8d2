import assert from 'node:assert/strict'
import { eachOf, holds, idAt } from '../read.ts'
import { BOB, CAROL, mainFeedOf, makeComment, makePost, type Stage } from '../stage.ts'

/** The endpoints that none of the client's functions calls (docs/interface/README.md#numbered-endpoints), through its own HTTP client. */
export async function driveEndpoints(stage: Stage): Promise<void> {
  const { client, step, admin, bob, adminToken } = stage
  const community = await admin.send('POST', '/api/v3/communities', {
    displayName: 'Reviewed',
    needApprovalOnCommentCreation: true,
    userIds: [BOB, CAROL],
  })
  const communityId = idAt(community, 'communities', 0, 'communityId')
  const postId = await makePost(bob, communityId, 'Speak')
  const held = [await makeComment(bob, postId, 'One'), await makeComment(bob, postId, 'Two')]

  await step('1 · GET review-queue', async () => {
    const url = `/api/v3/communities/${communityId}/comments/review-queue`
    assert.equal(await client.codeOf(client.http({ method: 'get', url })), 400300)
    await client.call('CommunityRepository.joinCommunity', communityId)
    const mine = { role: 'community-moderator', userIds: ['compat-me'] }
    await admin.send('POST', `/api/v3/communities/${communityId}/users/roles`, mine)
    const params = { postId, startDate: '2020-01-01', timeZone: 'Asia/Kathmandu', options: { limit: 1, skip: 1 } }
    const page = await client.http({ method: 'get', url, params })
    assert.deepEqual(eachOf(page, 'comments', 'commentId'), [held[0]])
    assert.deepEqual(eachOf(await client.http({ method: 'get', url }), 'comments', 'commentId'), held.toSorted())
  })

  await step('3 · POST a community role', async () => {
    const url = `/api/v3/communities/${communityId}/users/roles`
    const given = { role: 'community-moderator', userIds: [CAROL] }
    const headers = { Authorization: `Bearer ${adminToken}` }
    await client.http({ method: 'post', url, data: given, headers })
    const queue = await stage.carol.get(`/api/v3/communities/${communityId}/comments/review-queue`)
    assert.deepEqual(eachOf(queue, 'comments', 'commentId'), held.toSorted())
  })

  await step('4 · PUT moderation settings, in admin context alone', async () => {
    const change = { method: 'put', url: '/api/v3/network-settings/moderation', data: { isReportEnabled: true } }
    assert.equal(await client.codeOf(client.http(change)), 400300)
    const after = await client.http({ ...change, headers: { Authorization: `Bearer ${adminToken}` } })
    assert.deepEqual(after, { isWhitelistEnabled: false, isReportEnabled: true })
    assert.deepEqual(await admin.get('/api/v3/network-settings/moderation'), after)
  })

  const made = await client.call('ChannelRepository.createChannel', {
    type: 'community',
    displayName: 'Whale watch',
    userIds: [BOB],
    tags: ['sea'],
  })
  const channelId = idAt(made, 'data', 'channelId')
  const said = { messageFeedId: await mainFeedOf(stage, channelId), data: { text: 'A humpback to starboard' } }
  const messageId = idAt(await bob.send('POST', '/api/v5/messages', said), 'messages', 0, 'messageId')

  await step('5 · GET search messages', async () => {
    const params = { query: 'humpb', channelId, userIds: [BOB], types: ['text'], options: { limit: 5 } }
    const found = await client.http({ method: 'get', url: '/api/v2/search/messages', params })
    holds(found, { status: 'success', data: { messages: [{ messageId }], totalCount: 1 } })
  })

  await step('6 · GET channel users', async () => {
    const params = { filter: 'member&banned', sortBy: 'displayName', options: { limit: 1 } }
    const found = await client.http({ method: 'get', url: `/api/v3/channels/${channelId}/users`, params })
    holds(found, { channelUsers: [{ userId: BOB, membership: 'member' }] })
  })

  await step('8 · GET search channels', async () => {
    const params = { query: 'whale', isMemberOnly: true, types: ['community'], tags: ['sea'], options: { limit: 5 } }
    const found = await client.http({ method: 'get', url: '/api/v2/search/channels', params })
    holds(found, { data: { channels: [{ channelId, displayName: 'Whale watch' }], totalCount: 1 } })
  })
}
