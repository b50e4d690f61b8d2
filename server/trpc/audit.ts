import { listAuditWithExcerpts, readEntryWithExcerpt } from '#server/modules/desk/audit/list-with-excerpts.ts'
import { openAuditExport } from '#server/modules/ledger/audit/export-audit.ts'
import { listActions } from '#server/modules/ledger/audit/list-audit.ts'
import { readChain } from '#server/modules/ledger/audit/read-chain.ts'
import { AuditFilter, AuditInput, EntryInput } from '#server/modules/ledger/audit/schema.ts'
import { procedure, router } from '#server/trpc/init.ts'

const readsAnywhere = procedure.meta({ readsAnywhere: true })

export const auditRouter = router({
  list: readsAnywhere.input(AuditInput).query(({ ctx, input }) => listAuditWithExcerpts(ctx, input)),
  entry: readsAnywhere.input(EntryInput).query(({ ctx, input }) => readEntryWithExcerpt(ctx, input)),
  actions: readsAnywhere.query(({ ctx }) => listActions(ctx)),
  chain: procedure.query(({ ctx }) => readChain(ctx)),
  /** The path of a file, valid for a minute. */
  export: procedure.input(AuditFilter).mutation(async ({ ctx, input }) => {
    const link = await openAuditExport(ctx, ctx.linkKey, input)
    return `/api/v1/exports/audit?${new URLSearchParams({ ...link })}`
  }),
})
