'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Choices } from '#components/ui/choices.tsx'
import { Field } from '#components/ui/field.tsx'

interface CommunityChoiceProps {
  chosen: string | undefined
  onChoose: (communityId: string) => void
}

/** Selects a community by name or id. */
export function CommunityChoice({ chosen, onChoose }: CommunityChoiceProps) {
  const t = useTranslations('staff.invite')
  const [typed, setTyped] = useState('')
  const query = typed.trim()
  const found = useQuery(useTRPC().palette.find.queryOptions({ query }, { ...KEEP_PREVIOUS, enabled: query !== '' }))
  const communities = query === '' ? [] : (found.data?.communities ?? [])
  return (
    <div className="grid gap-3.5">
      <Field
        label={t('community')}
        type="search"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {communities.length > 0 && (
        <Choices
          legend={t('found')}
          choices={communities.map(({ communityId, displayName }) => ({
            id: communityId,
            label: displayName,
            hint: communityId,
          }))}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
      {query !== '' && found.isSuccess && communities.length === 0 && <p className="text-ink-3">{t('noCommunity')}</p>}
    </div>
  )
}
