import { listReports } from '#server/modules/ledger/audit/list-reports.ts'
import { openReport } from '#server/modules/ledger/audit/open-report.ts'
import { ReportFile, ReportsQuery } from '#server/modules/ledger/audit/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

export const reportsRouter = router({
  list: procedure
    .meta({ readsAnywhere: true })
    .input(ReportsQuery)
    .query(({ ctx, input }) => listReports(ctx, input)),
  /** The path of a file, valid for a minute. */
  open: procedure.input(ReportFile).mutation(async ({ ctx, input }) => {
    const { fileId, ...link } = await openReport(ctx, ctx.linkKey, input)
    return `/api/v1/reports/moderation-activity/files/${fileId}?${new URLSearchParams(link)}`
  }),
})
