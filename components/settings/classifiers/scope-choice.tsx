'use client'
import { useTranslations } from 'use-intl'
import { FoundChip } from '#components/kit/filters/found-chip.tsx'
import { Choices } from '#components/ui/choices.tsx'
import {
  CLASSIFIED_KINDS,
  type ClassifiedKind,
  type Classifier,
} from '#server/modules/integrations/classifiers/schema.ts'

/** What a classifier is asked about, while it is being chosen. */
interface Scope {
  isNarrowed: boolean
  community: { id: string | null; name?: string | undefined }
  kinds: ClassifiedKind[]
}

export function scopeOf(classifier: Classifier | undefined): Scope {
  const { community, kinds = ['comment', 'post'] } = classifier ?? {}
  return {
    isNarrowed: community !== undefined,
    community: { id: community?.communityId ?? null, name: community?.name },
    kinds,
  }
}

/** The whole network or a community, and the kinds of content; messages belong to no community. */
export function ScopeChoice({ scope, onChange }: { scope: Scope; onChange: (scope: Scope) => void }) {
  const t = useTranslations('classifiers')
  const { isNarrowed, community, kinds } = scope
  const possible = CLASSIFIED_KINDS.filter((kind) => !isNarrowed || kind !== 'message')

  function narrow(isNarrowed: boolean): void {
    const left = kinds.filter((kind) => !isNarrowed || kind !== 'message')
    onChange({ ...scope, isNarrowed, kinds: left.length > 0 ? left : ['comment', 'post'] })
  }

  return (
    <>
      <Choices
        legend={t('scope')}
        columns={2}
        choices={[
          { id: 'network', label: t('wholeNetwork') },
          { id: 'community', label: t('oneCommunity') },
        ]}
        chosen={isNarrowed ? 'community' : 'network'}
        onChoose={(id) => narrow(id === 'community')}
      />
      {isNarrowed && (
        <div>
          <FoundChip
            what="space"
            chosen={community.id}
            name={community.name}
            onChoose={(id, name) => onChange({ ...scope, community: { id, name } })}
          />
        </div>
      )}
      <fieldset>
        <legend className="mb-1 font-firm text-ink">{t('kinds')}</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {possible.map((kind) => (
            <label key={kind} className="flex min-h-7 items-center gap-2 text-ink coarse:min-h-10">
              <input
                type="checkbox"
                checked={kinds.includes(kind)}
                // One of them is always chosen.
                disabled={kinds.length === 1 && kinds.includes(kind)}
                onChange={() =>
                  onChange({ ...scope, kinds: possible.filter((one) => kinds.includes(one) !== (one === kind)) })
                }
                className="size-4 shrink-0 accent-accent"
              />
              {t(`kindNames.${kind}`)}
            </label>
          ))}
        </div>
      </fieldset>
    </>
  )
}
