import assert from 'node:assert/strict'
import { eachOf, holds, idAt } from '../read.ts'
import { BOB, CAROL, ME, type Stage } from '../stage.ts'

const MODERATOR = 'community-moderator'

export async function driveCommunityMembers({ client, step, admin, bob, carol }: Stage): Promise<void> {
  const made = await client.call('CommunityRepository.createCommunity', { displayName: 'Crew', userIds: [BOB] })
  const communityId = idAt(made, 'data', 'communityId')
  const read = async (asked: string) =>
    eachOf(await admin.get(`/api/v3/communities/${communityId}/users?${asked}`), 'communityUsers', 'userId')
  const ban = `/api/v3/communities/${communityId}/users/ban`

  await step('Community.Membership.addMembers', async () => {
    assert.equal(await client.call('CommunityRepository.Membership.addMembers', communityId, [CAROL]), true)
    assert.deepEqual(await read('memberships[]=member'), [BOB, CAROL, ME])
  })

  await step('Community.Moderation.addRoles', async () => {
    assert.equal(await client.call('CommunityRepository.Moderation.addRoles', communityId, [MODERATOR], [CAROL]), true)
    assert.deepEqual(await read(`roles[]=${MODERATOR}`), [CAROL, ME])
    await carol.send('PUT', ban, { userIds: [BOB] })
    await carol.send('PUT', `/api/v3/communities/${communityId}/users/unban`, { userIds: [BOB] })
    await bob.send('POST', `/api/v3/communities/${communityId}/join`)
  })

  await step('Community.Membership.getMembers', async () => {
    const asked = { communityId, memberships: ['member', 'banned'], sortBy: 'lastCreated' }
    const all = await client.live('CommunityRepository.Membership.getMembers', { ...asked, limit: 2 })
    assert.deepEqual(eachOf(all, 'data', 'userId'), [BOB, CAROL, ME])
    const some = await client.live('CommunityRepository.Membership.getMembers', { ...asked, roles: [MODERATOR] })
    assert.deepEqual(eachOf(some, 'data', 'userId'), [CAROL, ME])
  })

  await step('Community.Membership.searchMembers', async () => {
    const asked = { communityId, search: 'caro', memberships: ['member'], limit: 5 }
    const found = await client.live('CommunityRepository.Membership.searchMembers', asked)
    assert.deepEqual(eachOf(found, 'data', 'userId'), [CAROL])
  })

  await step('Community.Moderation.removeRoles', async () => {
    const taken = await client.call('CommunityRepository.Moderation.removeRoles', communityId, [MODERATOR], [CAROL])
    assert.equal(taken, true)
    assert.deepEqual(await read(`roles[]=${MODERATOR}`), [ME])
    assert.equal(await carol.codeOf('PUT', ban, { userIds: [BOB] }), 400300)
  })

  await step('Community.Membership.removeMembers', async () => {
    assert.equal(await client.call('CommunityRepository.Membership.removeMembers', communityId, [CAROL]), true)
    assert.deepEqual(await read('memberships[]=member'), [BOB, ME])
  })

  await step('Community.Moderation.banMembers', async () => {
    const banned = await client.call('CommunityRepository.Moderation.banMembers', communityId, [BOB])
    assert.deepEqual(eachOf(banned, 'data', 'userId'), [BOB])
    assert.deepEqual(await read('memberships[]=banned'), [BOB])
    assert.equal(await bob.codeOf('POST', `/api/v3/communities/${communityId}/join`), 400304)
  })

  await step('Community.Moderation.unbanMembers', async () => {
    await client.call('CommunityRepository.Moderation.unbanMembers', communityId, [BOB])
    const joined = await bob.send('POST', `/api/v3/communities/${communityId}/join`)
    holds(joined, { communityUsers: [{ userId: BOB, communityMembership: 'member' }] })
  })
}
