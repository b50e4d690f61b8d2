import { expect, test } from 'vitest'
import { withoutPerson } from '#server/modules/ledger/events/without-person.ts'

const theirs = { userId: 'pat', userPublicId: 'pat' }

test('removes one person’s names, texts and objects everywhere, and keeps those of others and shared ones', () => {
  const payload = {
    users: [
      { ...theirs, displayName: 'Pat', avatarFileId: 'portrait' },
      { userId: 'mo', displayName: 'Mo', avatarFileId: 'another' },
    ],
    comments: [{ commentId: '1', userId: 'pat', data: { text: 'Said' }, attachments: [{ fileId: 'picture' }] }],
    posts: [
      {
        postId: '2',
        postedUserId: 'mo',
        data: { text: 'Pat said' },
        latest: { userId: 'pat', userDisplayName: 'Pat' },
      },
    ],
    messages: [{ messageId: '3', creatorId: 'internal', creatorPublicId: 'pat', data: { text: 'Said' } }],
    channel: [{ channelId: '4', pinnedMessage: { messageId: '3', creatorId: 'pat' } }],
    rooms: [{ roomId: '5', createdBy: 'pat', title: 'Mine' }],
    communities: [{ communityId: '6', userId: 'pat', membersCount: 1 }],
    communityUsers: [{ communityId: '6', ...theirs, notMemberReason: 'Said' }],
    files: [
      { fileId: 'portrait', fileUrl: 'https://x.example/1' },
      { fileId: 'picture', fileUrl: 'https://x.example/2' },
      { fileId: 'another', fileUrl: 'https://x.example/3' },
    ],
    userIds: ['pat', 'mo'],
    actorId: 'pat',
  }
  expect(withoutPerson(payload, 'pat')).toEqual({
    users: [{ userId: 'mo', displayName: 'Mo', avatarFileId: 'another' }],
    comments: [],
    posts: [{ postId: '2', postedUserId: 'mo', data: { text: 'Pat said' } }],
    messages: [],
    channel: [{ channelId: '4' }],
    rooms: [],
    communities: [{ communityId: '6', userId: 'pat', membersCount: 1 }],
    communityUsers: [],
    files: [{ fileId: 'another', fileUrl: 'https://x.example/3' }],
    userIds: ['pat', 'mo'],
    actorId: 'pat',
  })
  expect(withoutPerson(payload, 'nobody')).toEqual(payload)
})
