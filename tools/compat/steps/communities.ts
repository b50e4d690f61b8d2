import assert from 'node:assert/strict'
import { at, eachOf, holds, idAt } from '../read.ts'
import { BOB, ME, makeCommunity, type Stage } from '../stage.ts'

export async function driveCommunities(stage: Stage): Promise<void> {
  const { client, step, admin, bob } = stage
  const theirs = await makeCommunity(stage, { userIds: [] })
  let communityId = ''
  const read = () => admin.get(`/api/v3/communities/${communityId}`)

  await step('CommunityRepository.createCommunity', async () => {
    const asked = { displayName: 'Bread', isPublic: true, userIds: [BOB], tags: ['compat'] }
    const postSetting = 'ADMIN_REVIEW_POST_REQUIRED'
    const made = await client.call('CommunityRepository.createCommunity', { ...asked, postSetting })
    communityId = idAt(made, 'data', 'communityId')
    holds(await read(), {
      communities: [
        { displayName: 'Bread', needApprovalOnPostCreation: true, membersCount: 2, moderatorMemberCount: 1 },
      ],
    })
  })

  await step('CommunityRepository.getCommunity', async () => {
    const found = await client.live('CommunityRepository.getCommunity', theirs)
    holds(found, { data: { communityId: theirs, displayName: 'Bob and friends', isJoined: false, userId: BOB } })
  })

  await step('CommunityRepository.getCommunities', async () => {
    const asked = { membership: 'member', sortBy: 'lastCreated', tags: ['compat'], limit: 5 }
    const found = await client.live('CommunityRepository.getCommunities', asked)
    assert.deepEqual(eachOf(found, 'data', 'communityId'), [communityId])
  })

  await step('CommunityRepository.searchCommunities', async () => {
    const found = await client.live('CommunityRepository.searchCommunities', { displayName: 'brea', limit: 5 })
    assert.ok(eachOf(found, 'data', 'communityId').includes(communityId))
    assert.ok(!eachOf(found, 'data', 'communityId').includes(theirs))
  })

  await step('CommunityRepository.getCommunityByIds', async () => {
    const found = await client.call('CommunityRepository.getCommunityByIds', [theirs, communityId])
    assert.deepEqual(eachOf(found, 'data', 'communityId'), [theirs, communityId].sort())
  })

  await step('CommunityRepository.updateCommunity', async () => {
    await client.call('CommunityRepository.updateCommunity', communityId, { displayName: 'Slow bread' })
    holds(await read(), { communities: [{ displayName: 'Slow bread', tags: ['compat'] }] })
  })

  const members = async () => eachOf(await bob.get(`/api/v3/communities/${theirs}/users`), 'communityUsers', 'userId')
  await step('CommunityRepository.joinCommunity', async () => {
    assert.equal(await client.call('CommunityRepository.joinCommunity', theirs), true)
    assert.deepEqual(await members(), [BOB, ME])
  })

  await step('CommunityRepository.leaveCommunity', async () => {
    assert.equal(await client.call('CommunityRepository.leaveCommunity', theirs), true)
    assert.deepEqual(await members(), [BOB])
  })

  await step('CommunityRepository.deleteCommunity', async () => {
    assert.equal(at(await client.call('CommunityRepository.deleteCommunity', communityId), 'isDeleted'), true)
    holds(await read(), { communities: [{ isDeleted: true }] })
    assert.equal(await bob.codeOf('DELETE', `/api/v3/communities/${communityId}/leave`), 400400)
  })
}
