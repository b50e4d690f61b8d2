'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { type AuditSearch, DECIDED, HELD } from '#components/kit/addresses/audit-search.ts'
import { DaysChips } from '#components/kit/filters/days-chips.tsx'
import { FilterChip } from '#components/kit/filters/filter-chip.tsx'
import { FoundChip } from '#components/kit/filters/found-chip.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { LazySearchList } from '#components/ui/lazy-search-list.tsx'
import type { AuditPage } from '#server/modules/ledger/audit/schema.ts'
import { useActionLabel } from './use-action-label.ts'

interface AuditSentenceProps {
  search: AuditSearch
  names: AuditPage['narrowedTo']
  onNarrow: (changed: Partial<AuditSearch>) => void
}

/** "What [anybody] did: [anything] to [whatever] in [every community] between … in …". */
export function AuditSentence({ search, names, onNarrow }: AuditSentenceProps) {
  const t = useTranslations('audit.sentence')
  const { action } = search
  const words = useActionLabel()
  return (
    <search aria-label={t('label')} className="flex flex-wrap items-center gap-1.5">
      <span>{t('what')}</span>
      <FoundChip
        what="person"
        chosen={search.actorId}
        name={names.actor}
        onChoose={(actorId) => onNarrow({ actorId })}
      />
      <span>{t('did')}</span>
      <FilterChip
        label={t('action')}
        value={action === null ? t('anyAction') : words.action(action)}
        onRemove={action === null ? undefined : () => onNarrow({ action: null })}
        removeLabel={t('dropAction')}
      >
        {(close) => (
          <ActionEditor
            chosen={action}
            onChoose={(chosen) => {
              close()
              onNarrow({ action: chosen })
            }}
          />
        )}
      </FilterChip>
      <span>{t('to')}</span>
      <FilterChip
        label={t('subject')}
        value={search.subjectId ?? t('anySubject')}
        onRemove={search.subjectId === null ? undefined : () => onNarrow({ subjectId: null })}
        removeLabel={t('dropSubject')}
      >
        {(close) => (
          <SubjectEditor
            chosen={search.subjectId}
            onChoose={(subjectId) => {
              close()
              onNarrow({ subjectId })
            }}
          />
        )}
      </FilterChip>
      <span>{t('in')}</span>
      <FoundChip
        what="community"
        chosen={search.communityId}
        name={names.community}
        onChoose={(communityId) => onNarrow({ communityId })}
      />
      <DaysChips
        days={search}
        onChoose={onNarrow}
        onZone={(timeZone) => onNarrow({ timeZone })}
        onRemove={() => onNarrow({ startDate: null, endDate: null })}
      />
    </search>
  )
}

/** Selects one of the actions in the log. */
function ActionEditor({ chosen, onChoose }: { chosen: string | null; onChoose: (action: string) => void }) {
  const t = useTranslations('audit.sentence')
  const words = useActionLabel()
  const { data: actions = [] } = useQuery(useTRPC().audit.actions.queryOptions())
  return (
    <LazySearchList
      label={t('action')}
      find={t('findAction')}
      empty={t('noSuchAction')}
      choices={[DECIDED, HELD, ...actions].map((id) => ({ id, label: words.action(id) }))}
      chosen={chosen ?? undefined}
      onChoose={onChoose}
    />
  )
}

function SubjectEditor({ chosen, onChoose }: { chosen: string | null; onChoose: (id: string | null) => void }) {
  const t = useTranslations('audit.sentence')
  return (
    <form
      className="flex items-center gap-2 p-2"
      action={(form) => onChoose(String(form.get('subjectId')).trim() || null)}
    >
      <input
        name="subjectId"
        aria-label={t('subject')}
        placeholder={t('subjectId')}
        defaultValue={chosen ?? ''}
        maxLength={900}
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: people open it in order to type
        autoFocus
        className="h-control w-56 min-w-0 rounded-2 border border-line-control bg-raised px-2 text-ink placeholder:text-ink-3"
      />
      <Button type="submit">{t('find')}</Button>
    </form>
  )
}
