import assert from 'node:assert/strict'
import { eachOf, holds, idAt } from '../read.ts'
import { BOB, CAROL, ME, mainFeedOf, type Stage } from '../stage.ts'

const MODERATOR = 'channel-moderator'

export async function driveChannelMembers(stage: Stage): Promise<void> {
  const { client, step, admin, bob, carol } = stage
  const made = await client.call('ChannelRepository.createChannel', { type: 'community', userIds: [BOB] })
  const channelId = idAt(made, 'data', 'channelId')
  const said = { messageFeedId: await mainFeedOf(stage, channelId), data: { text: 'Ahoy' } }
  const read = async (asked: string) =>
    eachOf(await admin.get(`/api/v4/channels/${channelId}/users?${asked}`), 'channelUsers', 'userId')

  await step('Channel.Membership.addMembers', async () => {
    assert.equal(await client.call('ChannelRepository.Membership.addMembers', channelId, [CAROL]), true)
    assert.deepEqual(await read('memberships[]=member'), [BOB, CAROL, ME])
  })

  await step('Channel.Moderation.addRole', async () => {
    assert.equal(await client.call('ChannelRepository.Moderation.addRole', channelId, MODERATOR, [CAROL]), true)
    assert.deepEqual(await read(`roles[]=${MODERATOR}`), [CAROL, ME])
    await carol.send('PUT', `/api/v3/channels/${channelId}/users/ban`, { userIds: [BOB] })
    await carol.send('PUT', `/api/v3/channels/${channelId}/users/unban`, { userIds: [BOB] })
    await bob.send('POST', `/api/v3/channels/${channelId}/join`)
  })

  await step('Channel.Membership.getMembers', async () => {
    const asked = { channelId, memberships: ['member', 'banned'], sortBy: 'lastCreated' }
    const all = await client.live('ChannelRepository.Membership.getMembers', { ...asked, limit: 2 })
    assert.deepEqual(eachOf(all, 'data', 'userId'), [BOB, CAROL, ME])
    const some = await client.live('ChannelRepository.Membership.getMembers', { ...asked, roles: [MODERATOR] })
    assert.deepEqual(eachOf(some, 'data', 'userId'), [CAROL, ME])
  })

  await step('Channel.Membership.searchMembers', async () => {
    const asked = { channelId, search: 'caro', memberships: ['member'], limit: 5 }
    const found = await client.live('ChannelRepository.Membership.searchMembers', asked)
    assert.deepEqual(eachOf(found, 'data', 'userId'), [CAROL])
  })

  await step('Channel.Moderation.removeRole', async () => {
    assert.equal(await client.call('ChannelRepository.Moderation.removeRole', channelId, MODERATOR, [CAROL]), true)
    assert.deepEqual(await read(`roles[]=${MODERATOR}`), [ME])
    const ban = { userIds: [BOB] }
    assert.equal(await carol.codeOf('PUT', `/api/v3/channels/${channelId}/users/ban`, ban), 400300)
  })

  await step('Channel.Membership.removeMembers', async () => {
    assert.equal(await client.call('ChannelRepository.Membership.removeMembers', channelId, [CAROL]), true)
    assert.deepEqual(await read('memberships[]=member'), [BOB, ME])
  })

  await step('Channel.Moderation.muteMembers', async () => {
    assert.equal(await client.call('ChannelRepository.Moderation.muteMembers', channelId, [BOB], 3_600), true)
    assert.deepEqual(await read('memberships[]=muted'), [BOB])
    assert.equal(await bob.codeOf('POST', '/api/v5/messages', said), 400302)
  })

  await step('Channel.Moderation.unmuteMembers', async () => {
    assert.equal(await client.call('ChannelRepository.Moderation.unmuteMembers', channelId, [BOB]), true)
    await bob.send('POST', '/api/v5/messages', said)
  })

  await step('Channel.Moderation.muteMembers, for ever', async () => {
    assert.equal(await client.call('ChannelRepository.Moderation.muteMembers', channelId, [BOB]), true)
    assert.equal(await bob.codeOf('POST', '/api/v5/messages', said), 400302)
  })

  await step('Channel.Moderation.banMembers', async () => {
    const banned = await client.call('ChannelRepository.Moderation.banMembers', channelId, [BOB])
    assert.deepEqual(eachOf(banned, 'data', 'userId'), [BOB])
    assert.deepEqual(await read('memberships[]=banned'), [BOB])
    assert.equal(await bob.codeOf('POST', `/api/v3/channels/${channelId}/join`), 400304)
  })

  await step('Channel.Moderation.unbanMembers', async () => {
    await client.call('ChannelRepository.Moderation.unbanMembers', channelId, [BOB])
    assert.deepEqual(await read('memberships[]=banned'), [])
    const joined = await bob.send('POST', `/api/v3/channels/${channelId}/join`)
    holds(joined, { channelUsers: [{ userId: BOB, membership: 'member' }] })
  })

  await step('Channel.Moderation.banMembers, refused without the session ending', async () => {
    const theirs = await bob.send('POST', '/api/v3/channels', { userIds: [ME, CAROL] })
    const id = idAt(theirs, 'channels', 0, 'channelId')
    assert.equal(await client.codeOf(client.call('ChannelRepository.Moderation.banMembers', id, [CAROL])), 400300)
    assert.equal(await client.call('ChannelRepository.leaveChannel', id), true)
  })
}
