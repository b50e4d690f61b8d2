import assert from 'node:assert/strict'
import { at, eachOf, holds, idAt } from '../read.ts'
import { BOB, CAROL, ME, mainFeedOf, type Stage } from '../stage.ts'

export async function driveChannels(stage: Stage): Promise<void> {
  const { client, step, admin, bob } = stage
  const theirs = idAt(await bob.send('POST', '/api/v3/channels', { displayName: 'Pier' }), 'channels', 0, 'channelId')
  let channelId = ''
  const read = () => admin.get(`/api/v3/channels/${channelId}`)

  await step('ChannelRepository.createChannel, a community', async () => {
    const asked = { type: 'community', displayName: 'Harbour', userIds: [BOB], tags: ['compat'], isPublic: true }
    channelId = idAt(await client.call('ChannelRepository.createChannel', asked), 'data', 'channelId')
    holds(await read(), { channels: [{ displayName: 'Harbour', tags: ['compat'], memberCount: 2 }] })
    const moderators = await admin.get(`/api/v4/channels/${channelId}/users?roles[]=channel-moderator`)
    assert.deepEqual(eachOf(moderators, 'channelUsers', 'userId'), [ME])
  })

  await step('ChannelRepository.createChannel, a conversation', async () => {
    const asked = { type: 'conversation', displayName: 'Two', userIds: [CAROL] }
    const made = await client.call('ChannelRepository.createChannel', asked)
    const seen = await stage.carol.get(`/api/v3/channels/${idAt(made, 'data', 'channelId')}`)
    holds(seen, { channels: [{ type: 'conversation' }] })
    assert.deepEqual(eachOf(seen, 'channelUsers', 'userId'), [CAROL, ME])
  })

  await step('ChannelRepository.getChannel', async () => {
    const found = await client.live('ChannelRepository.getChannel', theirs)
    holds(found, { data: { channelId: theirs, displayName: 'Pier', memberCount: 1 } })
  })

  await step('ChannelRepository.getChannelByIds', async () => {
    const found = await client.call('ChannelRepository.getChannelByIds', [channelId, theirs])
    assert.deepEqual(eachOf(found, 'data', 'channelId'), [channelId, theirs].sort())
  })

  await step('ChannelRepository.getChannels', async () => {
    const asked = {
      types: ['community', 'live'],
      tags: ['compat'],
      membership: 'member',
      displayName: 'Harb',
      limit: 5,
    }
    const found = await client.live('ChannelRepository.getChannels', { ...asked, sortBy: 'lastActivity' })
    assert.deepEqual(eachOf(found, 'data', 'channelId'), [channelId])
  })

  await step('ChannelRepository.updateChannel', async () => {
    await client.call('ChannelRepository.updateChannel', channelId, { displayName: 'Quay', metadata: { berth: 4 } })
    holds(await read(), { channels: [{ displayName: 'Quay', tags: ['compat'], metadata: { berth: 4 } }] })
  })

  const members = () => admin.get(`/api/v4/channels/${theirs}/users`)
  await step('ChannelRepository.joinChannel', async () => {
    assert.equal(await client.call('ChannelRepository.joinChannel', theirs), true)
    assert.deepEqual(eachOf(await members(), 'channelUsers', 'userId'), [BOB, ME])
  })

  await step('ChannelRepository.leaveChannel', async () => {
    assert.equal(await client.call('ChannelRepository.leaveChannel', theirs), true)
    assert.deepEqual(eachOf(await members(), 'channelUsers', 'userId'), [BOB])
  })

  const said = { messageFeedId: await mainFeedOf(stage, channelId), data: { text: 'Ahoy' } }
  await step('ChannelRepository.muteChannel', async () => {
    assert.equal(await client.call('ChannelRepository.muteChannel', channelId), true)
    assert.equal(await bob.codeOf('POST', '/api/v5/messages', said), 400303)
  })

  await step('ChannelRepository.unmuteChannel', async () => {
    assert.equal(await client.call('ChannelRepository.unmuteChannel', channelId), true)
    await bob.send('POST', '/api/v5/messages', said)
  })

  await step('ChannelRepository.deleteChannel', async () => {
    assert.equal(at(await client.call('ChannelRepository.deleteChannel', channelId), 'isDeleted'), true)
    holds(await read(), { channels: [{ isDeleted: true }] })
    assert.equal(await bob.codeOf('POST', '/api/v5/messages', said), 400300)
  })
}
