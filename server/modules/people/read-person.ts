import { actingUserId, type Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { present } from '#server/core/present.ts'
import { outranks } from '#server/modules/accounts/roles/outranks.ts'
import { avatarsOf } from '#server/modules/accounts/users/read-users.ts'
import { toUserView, USER_COLUMNS, type UserRow } from '#server/modules/accounts/users/view.ts'
import { readFiles } from '#server/modules/media/files/read-files.ts'
import { countStrikes } from '#server/modules/network/statements/count-strikes.ts'
import { countHeldOf, listContent } from '#server/modules/people/list-content.ts'
import { countDecisionsAbout, listDecisionsAbout, listDecisionsBy } from '#server/modules/people/list-decisions.ts'
import { listFlagsBy, listFlagsOn } from '#server/modules/people/list-flags.ts'
import { listChannels, listCommunities } from '#server/modules/people/list-memberships.ts'
import { listPersonNotes } from '#server/modules/people/list-notes.ts'
import { listBans, listMutes } from '#server/modules/people/list-sanctions.ts'
import { notesNetwork } from '#server/modules/people/notes/notes.ts'
import type { Person, PersonActs, PersonInput } from '#server/modules/people/schema.ts'
import { assertMayLookUp, mayErase, mayExport } from '#server/modules/people/scope.ts'
import { maySetSomewhere } from '#server/modules/spaces/author-treatments/may-set-treatment.ts'
import { readTreatments } from '#server/modules/spaces/author-treatments/read-treatments.ts'
import { mayMuteSomewhere } from '#server/modules/spaces/sanctions/may-mute.ts'
import { mayWarnSomewhere } from '#server/modules/spaces/warnings/warn.ts'

const ITEMS_SHOWN = 10

/**
 * Everything about a person on one page, by any of their ids, in a fixed number of statements. The profile is visible to anyone who may
 * look people up; each list shows what belongs to the caller's own communities and channels, or all of it with the permission for it. Fails
 * with NOT_FOUND for an unknown person, FORBIDDEN for callers who may not look people up.
 */
export async function readPerson(ctx: Ctx, input: PersonInput): Promise<Person> {
  await assertMayLookUp(ctx)
  const row = await readRow(ctx, input.userId)
  const { isStaff, requestedAt, finishedAt } = row
  const user = toUserView(ctx, row)
  const page = { userId: row.userId, limit: ITEMS_SHOWN }
  const [
    files,
    communities,
    channels,
    bans,
    mutes,
    treatments,
    content,
    held,
    decisionsAbout,
    decided,
    decisionsBy,
    flagsOn,
    flagsBy,
    notes,
    strikes,
  ] = await Promise.all([
    readFiles(ctx, avatarsOf([user])),
    listCommunities(ctx, page),
    listChannels(ctx, page),
    listBans(ctx, page),
    listMutes(ctx, page),
    readTreatments(ctx, row.userId),
    listContent(ctx, page),
    countHeldOf(ctx, row.userId),
    listDecisionsAbout(ctx, page),
    countDecisionsAbout(ctx, row.userId),
    listDecisionsBy(ctx, page),
    listFlagsOn(ctx, page),
    listFlagsBy(ctx, page),
    listPersonNotes(ctx, page),
    countStrikes(ctx, row.userId),
  ])
  return {
    user,
    files,
    isStaff,
    communities,
    channels,
    bans,
    mutes,
    treatments,
    content,
    decisionsAbout,
    itemCounts: { held, ...decided },
    decisionsBy,
    flagsOn,
    flagsBy,
    notes,
    strikes,
    ...(requestedAt && {
      erasure: { requestedAt: requestedAt.toISOString(), ...present({ finishedAt: finishedAt?.toISOString() }) },
    }),
    allowed: actsOn(ctx, row),
  }
}

interface PersonRow extends UserRow {
  isStaff: boolean
  isOutranked: boolean
  mayMute: boolean
  maySetTreatment: boolean
  mayWarn: boolean
  requestedAt: Date | null
  finishedAt: Date | null
}

/** An id that one person chose may be another's internal id: the public id takes precedence. */
async function readRow(ctx: Ctx, anyId: string): Promise<PersonRow> {
  const row = await queryOne<PersonRow>(
    ctx,
    sql`
    select ${USER_COLUMNS}, exists (select from staff_account a where a.network_user_id = u.user_id) as is_staff,
      ${outranks(ctx, sql`u.user_id`, 'network')} as is_outranked, ${mayMuteSomewhere(ctx, sql`u.user_id`)} as may_mute,
      ${maySetSomewhere(ctx, sql`u.user_id`)} as may_set_treatment, ${mayWarnSomewhere(ctx, sql`u.user_id`)} as may_warn, e.requested_at, e.finished_at
    from network_user u left join erasure e on e.user_id = u.user_id
    where u.user_id = ${anyId} or u.internal_id = ${anyId} order by (u.user_id = ${anyId}) desc limit 1`,
  )
  if (row === undefined) throw new DomainError('NOT_FOUND')
  return row
}

function actsOn(ctx: Ctx, row: PersonRow): PersonActs {
  const { userId, isGlobalBan, isDeleted, isOutranked, mayMute, maySetTreatment, mayWarn } = row
  const isBelow = isOutranked && userId !== actingUserId(ctx)
  const mayBan = holds(ctx, 'BAN_USER') && isBelow
  return {
    ban: mayBan && !isGlobalBan && !isDeleted,
    unban: mayBan && isGlobalBan,
    mute: mayMute && !isDeleted,
    treatment: maySetTreatment && !isDeleted,
    warn: mayWarn && !isDeleted,
    note: notesNetwork(ctx) && !isDeleted,
    export: mayExport(ctx),
    erase: mayErase(ctx, row),
  }
}
