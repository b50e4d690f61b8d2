'use client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { textIn } from '#components/kit/policies/text-in.ts'
import { ErrorState } from '#components/kit/states/error-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { useCopy } from '#components/ui/use-copy.ts'
import type { Statement } from '#server/modules/network/statements/schema.ts'
import { Section } from './section.tsx'
import { statementOptions } from './statement-options.ts'

/** What was stated to the person, newest first; nothing where there is none. */
export function Statements({ userId }: { userId: string }) {
  const t = useTranslations('statements')
  const read = useInfiniteQuery(statementOptions(useTRPC(), userId))
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = read
  const shown = data?.pages.flatMap((page) => page.statements) ?? []
  if (shown.length === 0 && !read.isError) return null
  return (
    <Section title={t('title')}>
      {read.isError && <ErrorState list={read} />}
      <ul className="grid gap-2 text-small">
        {shown.map((statement) => (
          <Line key={statement.statementId} statement={statement} />
        ))}
      </ul>
      {hasNextPage && (
        <div className="pt-2">
          <Button size="small" isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </Section>
  )
}

function Line({ statement }: { statement: Statement }) {
  const t = useTranslations('statements')
  const times = useTimes()
  const copy = useCopy()
  const { language } = usePreferences().preferences
  const { measure, space, policy, state, appeal, isAutomated, issuedAt, url } = statement
  // As it was stated, whatever the policy is called since.
  const { texts = {} } = policy ?? {}
  const said = textIn(texts, language)
  return (
    <li className="flex items-start gap-2">
      <div className="min-w-0 flex-1 wrap-anywhere">
        <span className="font-firm text-ink">{t(`measures.${measure}`)}</span>
        {state !== 'inForce' && <span className="text-ink-3"> ({t(`states.${state}`)})</span>}
        {appeal && <span className="text-ink-3"> ({t(`appeals.${appeal.state}`)})</span>}
        {space.scope !== 'network' && <span> {t('inSpace', { space: space.displayName })}</span>}
        {isAutomated && <span> {t('byRules')}</span>}
        <span className="block text-ink-3">{times.exact(issuedAt)}</span>
        {said && <bdi className="block text-ink-3">{said.title}</bdi>}
      </div>
      {url && (
        <Button look="icon" aria-label={t('copyLink')} onPress={() => void copy(url, t('copied'))}>
          <Link2 />
        </Button>
      )}
    </li>
  )
}
