import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, query } from '#server/core/db.ts'

/**
 * Takes away what was said about these beside the log; the log itself stays, and its chain verifies. Uses
 * audit_subject_type_subject_id_audit_id_idx.
 */
export async function eraseTextsOn(ctx: Ctx, subjectType: string, subjectIds: string[]): Promise<void> {
  await query(
    ctx,
    Prisma.sql`
    delete from audit_text t using audit a
    where a.audit_id = t.audit_id and a.subject_type = ${subjectType} and a.subject_id = any(${subjectIds})
    returning t.audit_id::text as "auditId"`,
  )
}
