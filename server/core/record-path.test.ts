import { expect, test } from 'vitest'
import { commentPath, messageFeedPath, postPath } from '#server/core/record-path.ts'

const community = { targetType: 'community', targetInternalId: 'k' } as const
const user = { targetType: 'user', targetInternalId: 'u' } as const

test.each([
  ['a post of a community', postPath('net', community, 'p'), 'net/social/community/k/post/p'],
  ['a post on a feed of a user', postPath('net', user, 'p'), 'net/user/u/post/p'],
  [
    'a post about content',
    postPath('net', { targetType: 'content', targetInternalId: null }, 'p'),
    'net/social/post/p',
  ],
  [
    'a post on the feed of somebody unknown',
    postPath('net', { targetType: 'user', targetInternalId: null }, 'p'),
    'net/social/post/p',
  ],
  [
    'a comment on a post',
    commentPath('net', { ...community, postInternalId: 'p' }, 'm'),
    'net/social/community/k/post/p/comment/m',
  ],
  ['a comment on a story', commentPath('net', community, 'm'), 'net/social/community/k/comment/m'],
  [
    'a comment that stands nowhere',
    commentPath('net', { targetType: null, targetInternalId: null }, 'm'),
    'net/social/comment/m',
  ],
  ['a feed whose id holds a separator', messageFeedPath('net', 'c', 'a/b+#'), 'net/channel/c/messagefeed/a%2Fb%2B%23'],
])('nests the path of %s', (_what, path, expected) => {
  expect(path).toBe(expected)
})
