'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { LANGUAGES } from '#components/i18n/locale.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { Policy, PolicyVersion } from '#server/modules/network/policies/schema.ts'
import { Facts } from '../rows.tsx'
import { languagesOf } from './languages-of.ts'

/** Which version is current, since when and by whom; opened, what each version says. */
export function PolicyVersions({ policy, title }: { policy: Policy; title: string }) {
  const t = useTranslations('policies')
  const times = useTimes()
  const [isOpen, setOpen] = useState(false)
  const { version, changedAt, changedBy } = policy
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="mt-0.5">
      <summary className="w-fit min-h-6 cursor-pointer">
        <span className="sr-only">{title} </span>
        {t('version', { version: String(version), who: changedBy, time: times.brief(changedAt) })}
      </summary>
      {isOpen && <Versions policy={policy} />}
    </details>
  )
}

/** Read again for each version that becomes current. */
function Versions({ policy: { policyId } }: { policy: Policy }) {
  const read = useQuery(useTRPC().policies.versions.queryOptions({ policyId }))
  return (
    <>
      <QueryState query={read} />
      <ol className="mt-1">
        {read.data?.map((version) => (
          <Version key={version.version} version={version} />
        ))}
      </ol>
    </>
  )
}

function Version({ version }: { version: PolicyVersion }) {
  const t = useTranslations('policies')
  const times = useTimes()
  const format = useFormatter()
  const { texts, ground, legalReference, url, weight, category, reportReasons, createdAt, createdBy } = version
  return (
    <li className="border-t border-line py-2">
      <p className="font-firm text-ink-2">
        {t('version', { version: String(version.version), who: createdBy, time: times.exact(createdAt) })}
      </p>
      <Facts
        facts={[
          ...languagesOf(texts).map((language): [string, ReactNode] => [
            LANGUAGES[language].name,
            <span key={language} lang={language} dir={LANGUAGES[language].direction} className="block">
              <b className="block font-firm">{texts[language]?.title}</b>
              <span className="block whitespace-pre-wrap">{texts[language]?.text}</span>
            </span>,
          ]),
          [t('ground'), t(`grounds.${ground}`)],
          [t('legalReference'), legalReference],
          [
            t('url'),
            url && (
              <span dir="ltr" className="font-code">
                {url}
              </span>
            ),
          ],
          [t('weight'), format.number(weight)],
          [t('category'), t(`categories.${category}`)],
          [t('reportReasons'), reportReasons.length > 0 && format.list(reportReasons)],
        ]}
      />
    </li>
  )
}
