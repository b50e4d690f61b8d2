import type { AuditDetails, AuditEntry, AuditPage } from '#server/modules/ledger/audit/schema.ts'

/** What a comment or post in the log says now and who wrote it; absent once it was erased. */
export interface SubjectText {
  excerpt?: string
  author?: string
}

type WithText<Entry extends AuditEntry> = Entry & { subject: Entry['subject'] & SubjectText }
export type ListedAuditEntry = WithText<AuditEntry>
export type ListedAuditDetails = Omit<WithText<AuditDetails>, 'sameAct'> & { sameAct: ListedAuditEntry[] }
export type ListedAudit = Omit<AuditPage, 'items'> & { items: ListedAuditEntry[] }
