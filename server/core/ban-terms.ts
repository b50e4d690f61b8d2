/** How long a ban lasts and why it was made. Without an end it lasts until somebody lifts it. */
export interface BanTerms {
  endsAt?: Date | undefined
  /** In words of a person: kept with the ban, where it can be erased, and not in the log. */
  reason?: string | undefined
}

/** What the log keeps of them. */
export function toAuditTerms({ endsAt }: BanTerms): Record<string, string> {
  return endsAt === undefined ? {} : { endsAt: endsAt.toISOString() }
}
