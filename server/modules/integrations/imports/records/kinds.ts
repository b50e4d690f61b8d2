import { category } from '#server/modules/integrations/imports/records/category.ts'
import { channel } from '#server/modules/integrations/imports/records/channel.ts'
import { channelUser } from '#server/modules/integrations/imports/records/channel-user.ts'
import { comment } from '#server/modules/integrations/imports/records/comment.ts'
import { community } from '#server/modules/integrations/imports/records/community.ts'
import { communityUser } from '#server/modules/integrations/imports/records/community-user.ts'
import { feed } from '#server/modules/integrations/imports/records/feed.ts'
import { file } from '#server/modules/integrations/imports/records/file.ts'
import { message } from '#server/modules/integrations/imports/records/message.ts'
import { post } from '#server/modules/integrations/imports/records/post.ts'
import type { RecordKind } from '#server/modules/integrations/imports/records/record-kind.ts'
import { role } from '#server/modules/integrations/imports/records/role.ts'
import { room } from '#server/modules/integrations/imports/records/room.ts'
import { stream } from '#server/modules/integrations/imports/records/stream.ts'
import { user } from '#server/modules/integrations/imports/records/user.ts'

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
