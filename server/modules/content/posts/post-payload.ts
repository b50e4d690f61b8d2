import type { Ctx } from '#server/core/ctx.ts'
import { avatarsOf } from '#server/modules/accounts/users/read-users.ts'
import { readReferencedUsers } from '#server/modules/accounts/users/referenced-users.ts'
import { buildPublicPostsEnvelope } from '#server/modules/content/posts/build-posts-envelope.ts'
import type { PostsEnvelope } from '#server/modules/content/posts/schema.ts'
import { readRooms } from '#server/modules/content/rooms/read-rooms.ts'
import { readStreams } from '#server/modules/content/streams/read-streams.ts'
import { readFiles } from '#server/modules/media/files/read-files.ts'

/**
 * The payload of a post's events: thirteen arrays, as everyone sees them (docs/interface/webhooks.md#posts). That of a decision has the rules
 * which held, rejected or flagged it.
 */
export async function postPayload(ctx: Ctx, postId: string, { isDecision = false } = {}) {
  const envelope = await buildPublicPostsEnvelope(ctx, [postId], { isDecision })
  const postIds = [...envelope.posts, ...envelope.postChildren].map((post) => post.postId)
  return withLive(ctx, envelope, postIds)
}

/** The payload for a new public post, from its author's envelope: others see it as they do, and no stream or room is about it yet. */
export function newPostPayload(ctx: Ctx, envelope: PostsEnvelope) {
  const communities = envelope.communities.map((community) => ({ ...community, isJoined: false }))
  return withLive(ctx, { ...envelope, communities }, [])
}

/** The envelope with the streams and rooms that belong to its posts or are shown in them. */
async function withLive(ctx: Ctx, envelope: PostsEnvelope, postIds: string[]) {
  const posts = [...envelope.posts, ...envelope.postChildren]
  const streamIds = posts.flatMap(({ data }) => (typeof data.streamId === 'string' ? [data.streamId] : []))
  const [video, live] = await Promise.all([readStreams(ctx, { postIds, streamIds }), readRooms(ctx, postIds)])

  const [streams, rooms] = [
    [...video.streams, ...video.children],
    [...live.rooms, ...live.children],
  ]
  const known = new Set(envelope.users.map(({ userId }) => userId))
  const people = await readReferencedUsers(ctx, [...streams, ...rooms])
  const hosts = people.filter(({ userId }) => !known.has(userId))
  const pictures = [...[...streams, ...rooms].map(({ thumbnailFileId }) => thumbnailFileId), ...avatarsOf(hosts)]
  const files = await readFiles(ctx, missing(pictures, new Set(envelope.files.map(({ fileId }) => fileId))))
  return {
    ...envelope,
    users: [...envelope.users, ...hosts],
    files: [...envelope.files, ...files],
    videoStreamings: video.streams,
    videoStreamingChildren: video.children,
    rooms: live.rooms,
    roomChildrens: live.children,
  }
}

function missing(ids: (string | undefined)[], known: ReadonlySet<string>): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))].filter((id) => !known.has(id))
}
