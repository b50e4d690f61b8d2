/** How long a ban lasts and why it was made. Without an end it lasts until it is lifted. */
export interface BanTerms {
  endsAt?: Date | undefined
  /** Free text: stored with the ban, where it can be erased, and not in the log. */
  reason?: string | undefined
  /** The policy that was broken. */
  policyId?: string | undefined
}

/** What the log stores of the terms. */
export function toAuditTerms({ endsAt, policyId }: BanTerms): Record<string, string> {
  return {
    ...(endsAt !== undefined && { endsAt: endsAt.toISOString() }),
    ...(policyId !== undefined && { policyId }),
  }
}
