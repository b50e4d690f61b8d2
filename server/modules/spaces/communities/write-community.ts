import { randomUUID } from 'node:crypto'
import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { insertColumns, setColumns } from '#server/core/database/write-columns.ts'
import { execute, inTransaction, query, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { mayEverywhere, mayInCommunity } from '#server/core/permissions.ts'
import { recordAudit } from '#server/modules/ledger/audit/record-audit.ts'
import { recordEvent } from '#server/modules/ledger/events/record-event.ts'
import { assertImage } from '#server/modules/media/files/assert-image.ts'
import { buildCommunitiesEnvelope } from '#server/modules/spaces/communities/build-communities-envelope.ts'
import { lockCommunity } from '#server/modules/spaces/communities/lock-community.ts'
import type { CommunitiesAnswer, CommunityChange, NewCommunity } from '#server/modules/spaces/communities/schema.ts'
import { lockPeople } from '#server/modules/spaces/membership/lock-people.ts'
import { setMembership } from '#server/modules/spaces/membership/set-membership.ts'
import { SPACE_KINDS } from '#server/modules/spaces/membership/space-kinds.ts'

/**
 * Creates a community; its creator is its first member, owns and moderates it. Any user may, and staff who edit communities. Fails with
 * NOT_FOUND for an unknown user, category or avatar, FORBIDDEN for other staff and where someone outside admin context marks it as
 * official.
 */
export function createCommunity(ctx: Ctx, { userIds, ...input }: NewCommunity): Promise<CommunitiesAnswer> {
  return inTransaction(ctx, async (ctx) => {
    if (ctx.actor.kind !== 'user' && !mayEverywhere(ctx, 'edit')) throw new DomainError('FORBIDDEN')
    await assertValidParts(ctx, input)
    const communityId = randomUUID()
    const makerId = actingUserId(ctx)
    const now = ctx.now()
    const columns = insertColumns({ communityId, ...fieldsOf(input), userId: makerId, createdAt: now, updatedAt: now })
    await execute(ctx, sql`insert into community ${columns}`)
    const memberIds = [...new Set([...(makerId === undefined ? [] : [makerId]), ...userIds])]
    if (memberIds.length > 0) {
      const kind = SPACE_KINDS.community
      const people = await lockPeople(ctx, kind, { spaceId: communityId, userIds: memberIds })
      await setMembership(ctx, kind, { spaceId: communityId, act: 'added', people, ownerId: makerId })
    }
    return publishCommunity(ctx, { communityId, verb: 'created', event: 'didCreate', after: { memberIds } }, memberIds)
  })
}

/** Updates the given fields. Fails with NOT_FOUND, and with FORBIDDEN without the permission to edit it. */
export function updateCommunity(
  ctx: Ctx,
  { communityId, ...change }: CommunityChange & { communityId: string },
): Promise<CommunitiesAnswer> {
  return inTransaction(ctx, async (ctx) => {
    const mayAct = mayInCommunity(ctx, 'edit', sql`k.community_id`)
    await lockCommunity(ctx, communityId, { mayAct, isAlone: true })
    await assertValidParts(ctx, change)
    const fields = Object.keys(change).sort()
    if (fields.length === 0) return buildCommunitiesEnvelope(ctx, [communityId])
    const columns = setColumns({ ...fieldsOf(change), updatedAt: ctx.now() })
    await execute(ctx, sql`update community set ${columns} where community_id = ${communityId}`)
    return publishCommunity(ctx, { communityId, verb: 'updated', event: 'didUpdate', after: { fields } })
  })
}

/** Fails unless the parts exist; only admin context may mark a community as official. */
async function assertValidParts(ctx: Ctx, { isOfficial, avatarFileId, categoryIds = [] }: CommunityChange) {
  if (isOfficial !== undefined && ctx.actor.kind !== 'admin') throw new DomainError('FORBIDDEN')
  await assertImage(ctx, avatarFileId)
  const wanted = [...new Set(categoryIds)]
  if (wanted.length === 0) return
  const known = await query(ctx, sql`select 1 from category where category_id = any(${wanted}) and not is_deleted`)
  if (known.length < wanted.length) throw new DomainError('NOT_FOUND')
}

function fieldsOf({ metadata, ...change }: CommunityChange) {
  return { ...change, metadata: metadata && JSON.stringify(metadata) }
}

interface Change {
  communityId: string
  verb: 'created' | 'updated'
  event: 'didCreate' | 'didUpdate'
  /** The names of the fields, not their values. */
  after: Record<string, unknown>
}

async function publishCommunity(
  ctx: Ctx,
  { communityId, verb, event, after }: Change,
  userIds?: string[],
): Promise<CommunitiesAnswer> {
  const subject = { subjectType: 'community', subjectId: communityId, communityId }
  await recordAudit(ctx, { ...subject, action: `community.${verb}`, after })
  const answer = await buildCommunitiesEnvelope(ctx, [communityId], userIds)
  await recordEvent(ctx, { ...subject, name: `v3.community.${event}`, payload: { ...answer } })
  return answer
}
