import type { Database } from '#server/core/database/open-database.ts'
import { inTransaction } from '#server/core/db.ts'
import { keepReports } from '#server/modules/ledger/reports/keep-reports.ts'
import type { SubjectType } from '#server/modules/ledger/reports/subjects.ts'
import { systemCtx } from '#server/testing/ctx.ts'

/** Opens or closes the reports of subjects whose flags or visibility a test wrote itself, as the program would have. */
export function keepReportsOf(database: Database, type: SubjectType, ids: string[]): Promise<void> {
  return inTransaction(systemCtx(database), (ctx) => keepReports(ctx, type, ids))
}
