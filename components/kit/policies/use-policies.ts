'use client'
import { useQuery } from '@tanstack/react-query'
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { useLocale, useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { PolicyChoice, PolicyLanguage } from '#server/modules/network/policies/schema.ts'
import type { AppRouter } from '#server/trpc/root.ts'

/** The titles of policies; they rarely change. */
function policiesOptions(trpc: TRPCOptionsProxy<AppRouter>) {
  return trpc.policies.choices.queryOptions(undefined, { staleTime: 5 * 60_000 })
}

/** The language of the desk, as policies name it. */
export function usePolicyLanguage(): PolicyLanguage {
  // Safe: a locale of the desk begins with its language.
  return useLocale().slice(0, 2) as PolicyLanguage
}

/** What a policy says in this language; else in English, else in the first that it has. */
export function inLanguage<Said>(
  said: Partial<Record<PolicyLanguage, Said>>,
  language: PolicyLanguage,
): Said | undefined {
  return said[language] ?? said.en ?? Object.values(said)[0]
}

/** Titles of policies in the language of the desk, once they are read. */
export function usePolicies() {
  const t = useTranslations('policy')
  const language = usePolicyLanguage()
  const { data: all = [] } = useQuery(policiesOptions(useTRPC()))

  function labelOf({ titles, isArchived }: PolicyChoice): string {
    const title = inLanguage(titles, language) ?? ''
    return isArchived ? t('archived', { title }) : title
  }
  const nameOf = (policy: PolicyChoice | undefined) => policy && labelOf(policy)

  return {
    /** Those that can be chosen, by title. `kept` is one that can be kept although it is archived. */
    choices: (kept?: string) =>
      all
        .filter(({ policyId, isArchived }) => !isArchived || policyId === kept)
        .map((policy) => ({ id: policy.policyId, label: labelOf(policy) }))
        .sort((one, other) => one.label.localeCompare(other.label, language)),
    titleOf: (policyId: string | undefined) => nameOf(all.find((policy) => policy.policyId === policyId)),
    /** The title of the policy that a reason for reports stands for. */
    titleOfReason: (reason: string) => {
      const folded = foldedReason(reason)
      return nameOf(all.find((policy) => !policy.isArchived && policy.reportReasons.map(foldedReason).includes(folded)))
    },
  }
}

const foldedReason = (reason: string) => reason.trim().toLowerCase()
