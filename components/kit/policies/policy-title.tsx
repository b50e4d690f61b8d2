'use client'
import { useTranslations } from 'use-intl'
import { usePolicies } from './use-policies.ts'

interface PolicyTitleProps {
  policyId?: string
  /** Of a report: its policy is shown. */
  reason?: string
}

/** The title of a policy; nothing where there is none. */
export function PolicyTitle({ policyId, reason = '' }: PolicyTitleProps) {
  const t = useTranslations('policy')
  const { titleOf, titleOfReason } = usePolicies()
  const title = policyId === undefined ? titleOfReason(reason) : titleOf(policyId)
  return title && <span className="block wrap-anywhere text-ink-3">{t('of', { title })}</span>
}
