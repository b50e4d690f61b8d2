import type { Ctx } from '#server/core/ctx.ts'
import { query, sql } from '#server/core/db.ts'
import { present } from '#server/core/present.ts'
import { timestampOf } from '#server/core/wire/timestamp.ts'
import { readColleague } from '#server/modules/accounts/staff/list-staff.ts'
import type { StaffInput, StaffSession } from '#server/modules/accounts/staff/schema.ts'

/** A colleague's sessions, newest first. Needs MANAGE_STAFF, and a colleague of lower rank. */
export async function listColleagueSessions(ctx: Ctx, { staffId }: StaffInput): Promise<StaffSession[]> {
  const { mayChange } = await readColleague(ctx, { staffId })
  return mayChange ? readSessions(ctx, { staffId }) : []
}

/** Uses staff_session_staff_account_id_idx. `sessionId` is the session of the request. */
export async function readSessions(
  ctx: Ctx,
  { staffId, sessionId: own = '' }: { staffId: string; sessionId?: string },
): Promise<StaffSession[]> {
  const rows = await query<{
    sessionId: string
    isThis: boolean
    startedAt: Date
    lastSeenAt: Date | null
    expiresAt: Date
    ipAddress: string | null
    userAgent: string | null
  }>(
    ctx,
    sql`
    select s.id as session_id, s.id = ${own} as is_this, s.created_at as started_at, s.last_seen_at,
      s.expires_at, s.ip_address, s.user_agent
    from staff_session s where s.staff_account_id = ${staffId} and s.expires_at > ${ctx.now()} order by s.created_at desc, s.id`,
  )
  return rows.map(({ sessionId, isThis, startedAt, lastSeenAt, expiresAt, ipAddress, userAgent }) => ({
    sessionId,
    isThis,
    startedAt: timestampOf(startedAt),
    expiresAt: timestampOf(expiresAt),
    ...present({
      lastSeenAt: lastSeenAt && timestampOf(lastSeenAt),
      ipAddress: ipAddress || undefined,
      userAgent: userAgent || undefined,
    }),
  }))
}
