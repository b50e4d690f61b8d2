import type { Caller } from './caller.ts'
import type { Client } from './client.ts'
import { at } from './read.ts'
import type { Steps } from './steps.ts'

/** The person logged in with the client, and the others. */
export const ME = 'compat-me'
export const BOB = 'compat-bob'
export const CAROL = 'compat-carol'

export interface Stage {
  client: Client
  step: Steps['step']
  /** In admin context. */
  admin: Caller
  bob: Caller
  carol: Caller
  adminToken: string
}

/** The id of the feed for a channel's messages, unless they name another. */
export async function mainFeedOf({ admin }: Stage, channelId: string): Promise<unknown> {
  return at(await admin.get(`/api/v3/channels/${channelId}`), 'channels', 0, 'channelInternalId')
}

export async function makeCommunity({ bob }: Stage, over: object): Promise<string> {
  const made = await bob.send('POST', '/api/v3/communities', { displayName: 'Bob and friends', userIds: [ME], ...over })
  return String(at(made, 'communities', 0, 'communityId'))
}

export async function makePost(caller: Caller, communityId: string, text: string): Promise<string> {
  const made = await caller.send('POST', '/api/v4/posts', {
    targetType: 'community',
    targetId: communityId,
    data: { text },
  })
  return String(at(made, 'posts', 0, 'postId'))
}

export async function makeComment(caller: Caller, postId: string, text: string): Promise<string> {
  const made = await caller.send('POST', '/api/v3/comments', {
    referenceType: 'post',
    referenceId: postId,
    data: { text },
  })
  return String(at(made, 'comments', 0, 'commentId'))
}
