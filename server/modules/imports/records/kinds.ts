import { category } from '#server/modules/imports/records/category.ts'
import { channel } from '#server/modules/imports/records/channel.ts'
import { channelUser } from '#server/modules/imports/records/channel-user.ts'
import { comment } from '#server/modules/imports/records/comment.ts'
import { community } from '#server/modules/imports/records/community.ts'
import { communityUser } from '#server/modules/imports/records/community-user.ts'
import { feed } from '#server/modules/imports/records/feed.ts'
import { file } from '#server/modules/imports/records/file.ts'
import { message } from '#server/modules/imports/records/message.ts'
import { post } from '#server/modules/imports/records/post.ts'
import type { RecordKind } from '#server/modules/imports/records/record-kind.ts'
import { role } from '#server/modules/imports/records/role.ts'
import { room } from '#server/modules/imports/records/room.ts'
import { stream } from '#server/modules/imports/records/stream.ts'
import { user } from '#server/modules/imports/records/user.ts'

/** What `type` may be (docs/interface/import.md#record-types). */
export const KINDS = {
  community,
  category,
  feed,
  user,
  role,
  communityUser,
  post,
  comment,
  channel,
  channelUser,
  message,
  file,
  stream,
  room,
} satisfies Record<string, RecordKind>

export type RecordType = keyof typeof KINDS

export function isRecordType(type: unknown): type is RecordType {
  return typeof type === 'string' && Object.hasOwn(KINDS, type)
}
