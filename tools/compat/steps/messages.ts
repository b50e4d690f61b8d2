import assert from 'node:assert/strict'
import { at, eachOf, holds, idAt } from '../read.ts'
import { BOB, mainFeedOf, type Stage } from '../stage.ts'
import { driveFlags } from './flags.ts'

export async function driveMessages(stage: Stage): Promise<void> {
  const { client, step, admin, bob } = stage
  const made = await client.call('ChannelRepository.createChannel', { type: 'community', userIds: [BOB] })
  const channelId = idAt(made, 'data', 'channelId')
  const subChannelId = await mainFeedOf(stage, channelId)
  let mine = ''

  await step('SubChannelRepository.getSubChannels', async () => {
    const feeds = await client.live('SubChannelRepository.getSubChannels', { channelId, limit: 5 })
    assert.deepEqual(eachOf(feeds, 'data', 'subChannelId'), [subChannelId])
  })

  await step('MessageRepository.createMessage', async () => {
    const asked = { subChannelId, dataType: 'text', data: { text: 'Land in sight' }, tags: ['compat'] }
    mine = idAt(await client.call('MessageRepository.createMessage', asked), 'data', 'messageId')
    holds(await bob.get(`/api/v5/messages/${mine}`), {
      messages: [{ messageId: mine, channelId, type: 'text', data: { text: 'Land in sight' }, tags: ['compat'] }],
    })
  })

  const answer = { messageFeedId: subChannelId, data: { text: 'Where?' } }
  const theirs = idAt(await bob.send('POST', '/api/v5/messages', answer), 'messages', 0, 'messageId')

  await step('MessageRepository.getMessages', async () => {
    const found = await client.live('MessageRepository.getMessages', { subChannelId, sortBy: 'segmentDesc', limit: 1 })
    assert.deepEqual(eachOf(found, 'data', 'messageId'), [mine, theirs].sort())
  })

  await step('MessageRepository.getMessage', async () => {
    const another = { messageFeedId: subChannelId, data: { text: 'I see it' } }
    const messageId = idAt(await bob.send('POST', '/api/v5/messages', another), 'messages', 0, 'messageId')
    const found = await client.live('MessageRepository.getMessage', messageId)
    holds(found, { data: { messageId, channelId, subChannelId, creatorId: BOB, data: { text: 'I see it' } } })
  })

  const flagCount = async () => at(await admin.get(`/api/v5/messages/${theirs}`), 'messages', 0, 'flagCount')
  const whenFlagged = async () => {
    const reported = await admin.get(`/api/v5/messages?messageFeedId=${subChannelId}&hasFlags=true`)
    assert.deepEqual(eachOf(reported, 'messages', 'messageId'), [theirs])
  }
  await driveFlags(stage, 'Message', { theirs, mine, flagCount, whenFlagged })

  await step('MessageRepository.softDeleteMessage', async () => {
    assert.equal(at(await client.call('MessageRepository.softDeleteMessage', mine), 'isDeleted'), true)
    holds(await bob.get(`/api/v5/messages/${mine}`), { messages: [{ isDeleted: true }] })
  })
}
